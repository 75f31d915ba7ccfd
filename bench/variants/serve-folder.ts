import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { precompress } from '@daybook/build/precompress';
import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';

/** Writes a file, and its compressed siblings where compression pays. */
export async function writeCompressed(file: string, content: Buffer): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  for (const [extension, compressed] of await precompress(file, content)) writeFileSync(file + extension, compressed);
}

/** Compresses all files of a build. */
export async function compressFolder(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const file = path.join(parentPath, name);
    await writeCompressed(file, readFileSync(file));
  }
}

/**
 * Serves a folder's files, which are cached for good, and for every other path a page.
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
