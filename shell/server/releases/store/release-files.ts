import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import type { Release } from '@daybook/contract';
import { checkedContent } from './checked-content.ts';
import { checkCompressedFiles } from './compressed-files.ts';
import { foldersOf } from './release-names.ts';

/** Reads a file of a release from where it comes from, chunk by chunk. */
export type FileSource = (file: string, signal: AbortSignal) => AsyncIterable<Uint8Array>;

/** Files that are read at a time. */
const atATime = 4;

/**
 * Writes all files of a release into a folder, each checked against its size and SHA-384 while it is written,
 * and synced.
 *
 * @throws ReleaseRefusal where a file is not what the release says
 */
export async function writeReleaseFiles(
  folder: string,
  release: Release,
  readFile: FileSource,
  signal: AbortSignal,
): Promise<void> {
  const rest = Object.entries(release.files);
  const inside = new Set(rest.flatMap(([name]) => foldersOf(name)));
  const folders = [folder, ...[...inside].map((each) => path.join(folder, each))];
  for (const each of folders) await mkdir(each, { recursive: true });
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const work = async () => {
    for (let next = rest.pop(); next; next = rest.pop()) {
      stop.throwIfAborted();
      const [name, wanted] = next;
      const handle = await open(path.join(folder, name), 'wx');
      try {
        // Unlike `write`, it goes on where a part of a chunk was written, as on a disk that is almost full.
        await handle.writeFile(checkedContent(readFile(name, stop), wanted, `its file ${name}`));
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
  await checkCompressedFiles(folder, release, signal);
  for (const each of folders) {
    const handle = await open(each);
    await handle.sync().finally(() => handle.close());
  }
}
