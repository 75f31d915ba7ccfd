import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { Release, ReleaseFile } from '@daybook/contract';
import { syncFolder } from './durable-files.ts';
import { ReleaseRefusal } from './release-refusal.ts';

/** Reads a file of a release from where it comes from, chunk by chunk. */
export type FileSource = (file: string, signal: AbortSignal) => AsyncIterable<Uint8Array>;

/** Files that are read at a time. */
const atATime = 4;

async function writeAll(handle: FileHandle, chunks: AsyncIterable<Uint8Array>, name: string, wanted: ReleaseFile) {
  const hash = createHash('sha384');
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    // Seen at once, so that an endless answer can't fill the disk.
    if (size > wanted.size)
      throw new ReleaseRefusal(
        'tampered',
        `its file ${name} has more than the ${wanted.size} bytes that release.json says`,
      );
    hash.update(chunk);
    await handle.write(chunk);
  }
  if (size < wanted.size)
    throw new ReleaseRefusal('tampered', `its file ${name} has ${size} bytes instead of ${wanted.size}`);
  if (`sha384-${hash.digest('base64')}` !== wanted.integrity)
    throw new ReleaseRefusal('tampered', `its file ${name} is not the one that release.json has the SHA-384 of`);
}

/**
 * Writes all files of a release into a folder, each checked against its size and SHA-384 while it is written,
 * and synced.
 *
 * @throws ReleaseRefusal where a file is not what the release says
 */
export async function writeReleaseFiles(
  folder: string,
  { files }: Release,
  readFile: FileSource,
  signal: AbortSignal,
): Promise<void> {
  const rest = Object.entries(files);
  const folders = new Set([folder, ...rest.map(([name]) => path.dirname(path.join(folder, name)))]);
  for (const each of folders) mkdirSync(each, { recursive: true });
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const work = async () => {
    for (let next = rest.pop(); next; next = rest.pop()) {
      stop.throwIfAborted();
      const [name, wanted] = next;
      const handle = await open(path.join(folder, name), 'wx');
      try {
        await writeAll(handle, readFile(name, stop), name, wanted);
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
  };
  const workers = Array.from({ length: atATime }, () => work());
  try {
    await Promise.all(workers);
  } catch (error) {
    // Nobody may write on in a folder that is about to be removed.
    failed.abort(error);
    await Promise.allSettled(workers);
    throw error;
  }
  for (const each of folders) syncFolder(each);
}
