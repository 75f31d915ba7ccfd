import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Release } from '@daybook/contract';
import { checkedContent } from './checked-content.ts';
import { ReleaseRefusal } from './release-refusal.ts';

/** Files with these endings are sent in the place of the file without, to browsers that take them. */
const decompressors: Readonly<
  Record<string, typeof createGunzip | typeof createBrotliDecompress | typeof createInflate>
> = {
  '.br': createBrotliDecompress,
  '.gz': createGunzip,
  '.deflate': createInflate,
};

const isOfDisk = (error: unknown) => (error as NodeJS.ErrnoException).syscall !== undefined;

/**
 * Checks that each compressed file of a release is what it stands for: a browser that gets another script than
 * the integrity value says does not run it, so the page would be broken for most visitors.
 *
 * @param folder where the release's files are
 * @throws ReleaseRefusal naming the file that is not
 */
export async function checkCompressedFiles(folder: string, { files }: Release, signal: AbortSignal): Promise<void> {
  for (const name of Object.keys(files)) {
    const ending = path.extname(name);
    const plainName = name.slice(0, -ending.length);
    const decompress = decompressors[ending];
    const plain = Object.hasOwn(files, plainName) ? files[plainName] : undefined;
    if (!plain || !decompress) continue;
    const discard = async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const _ of checkedContent(chunks, plain, plainName));
    };
    try {
      await pipeline(createReadStream(path.join(folder, name)), decompress(), discard, { signal });
    } catch (error) {
      if (signal.aborted || isOfDisk(error)) throw error;
      throw new ReleaseRefusal('tampered', `its file ${name} is not its file ${plainName} compressed`);
    }
  }
}
