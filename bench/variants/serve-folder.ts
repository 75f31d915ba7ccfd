import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { precompress } from '@daybook/build/precompress';
import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';

/** Writes a file and the folders that it is in. */
export function writeFile(file: string, content: Buffer | string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/**
 * Serves a folder's files, precompressed and cached for good, and for every other path a page.
 *
 * @param pageOf the file of the page at a path
 * @returns the address
 */
export async function serveFolder(
  started: AsyncDisposableStack,
  folder: string,
  port: number,
  pageOf: (path: string) => string,
): Promise<string> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (!statSync(file).isFile()) continue;
    for (const [extension, content] of await precompress(file, readFileSync(file)))
      writeFile(file + extension, content);
  }
  const app = Fastify();
  started.defer(() => app.close());
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    index: false,
    maxAge: '365d',
    immutable: true,
  });
  app.setNotFoundHandler((request, reply) => {
    const file = pageOf(request.url.split('?', 1)[0] ?? '');
    return reply.code(200).header('Cache-Control', 'no-cache').sendFile(file, folder, { cacheControl: false });
  });
  await app.listen({ host: 'localhost', port });
  return `http://localhost:${port}`;
}
