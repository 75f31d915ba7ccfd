import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import type { FixedAnswer } from '../nginx.ts';

/** An answer as it is written to a file: its body in Base64. */
export type WrittenAnswer = Omit<FixedAnswer, 'body'> & { readonly body: string };

/** The file of a bare server's folder that has its answers. */
export const answersFileName = 'answers.json';

/** Gives the answers in the folder that the first parameter names on `PORT`, by node:http and nothing else. */
function main(folder: string): void {
  const written = JSON.parse(readFileSync(path.join(folder, answersFileName), 'utf8')) as readonly WrittenAnswer[];
  const answers = new Map(
    written.map(({ path: address, headers, body: encoded }) => {
      const body = Buffer.from(encoded, 'base64');
      return [address, { headers: [...Object.entries(headers).flat(), 'content-length', String(body.length)], body }];
    }),
  );
  createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    if (answer) response.writeHead(200, answer.headers).end(answer.body);
    else response.writeHead(404).end();
  }).listen(Number(process.env.PORT), 'localhost');
}

if (process.argv[1] === import.meta.filename) main(process.argv[2] ?? '');
