import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { releaseSchema } from '@daybook/contract/release';
import { fileEntry, writeRelease } from '@daybook/testing/builds';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { publishImage } from './publish-image.ts';

const version = '1.0.0-3f9ac2d10b7e';
let answers: ((response: ServerResponse) => void)[];
let server: Server;
let folder: string;
let tokenFile: string;

beforeEach(async () => {
  answers = [];
  folder = makeTemporaryFolder();
  tokenFile = path.join(folder, 'token');
  writeFileSync(tokenFile, 'secret\n');
  const content = Buffer.from('entry');
  const release = releaseSchema.parse({
    name: 'mf-legal',
    version,
    api: 1,
    entry: 'remoteEntry.js',
    routes: [{ path: '/terms', title: 'Terms', description: 'Terms', frame: 'site', files: [] }],
    files: { 'remoteEntry.js': fileEntry(content) },
  });
  writeRelease(folder, { release, files: new Map([['remoteEntry.js', content]]) });
  server = createServer((request, response) => {
    request.resume().on('end', () => answers.shift()?.(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const answer = (status: number, body: object | string) => (response: ServerResponse) =>
  response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
const published = (outcome: string, line: string) =>
  answer(200, { version, outcome, state: null, previous: null, lines: [line], preview: '/_preview' });

/** Publishes; returns what is reported. */
async function publish(): Promise<readonly string[]> {
  const lines: string[] = [];
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await publishImage(
    { site, folder, tokenFile },
    (line) => lines.push(line),
    async () => undefined,
  );
  return lines;
}

test('a site that is not ready is tried again until it is', async () => {
  const starting = answer(503, { statusCode: 503, message: 'Starting', errors: ['Starting.'] });
  answers.push(starting, starting, (response) => response.destroy(), published('active', 'All visitors get it.'));
  expect(await publish()).toEqual([expect.stringMatching(/Starting\. Trying again\.$/), 'All visitors get it.']);
});

test('a release that is held is no failure, one that is rejected is', async () => {
  answers.push(
    published('held', 'It is stored.'),
    answer(422, { statusCode: 422, message: 'No', errors: ['Its path.'] }),
  );
  expect(await publish()).toEqual(['It is stored.']);
  await expect(publish()).rejects.toThrow('Its path.');
});

test('without a token, the team publishes from elsewhere', async () => {
  writeFileSync(tokenFile, '');
  expect(await publish()).toEqual(['There is no token of mf-legal: its team publishes from elsewhere.']);
});
