import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Release, ReleaseFile } from '@daybook/contract';
import { type FileSource, foldersOf, ReleaseRefusal } from '@daybook/release';

/**
 * Passes a file's content on, chunk by chunk.
 *
 * @param what the file, for the message
 * @throws ReleaseRefusal where it is not the content that a release says, as soon as that is known
 */
export async function* checkedContent(
  chunks: AsyncIterable<Uint8Array>,
  { size, integrity }: ReleaseFile,
  what: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha384');
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    // Seen at once, so that an endless answer can't fill the disk.
    if (length > size)
      throw new ReleaseRefusal('tampered', `${what} has more than the ${size} bytes that release.json says`);
    hash.update(chunk);
    yield chunk;
  }
  if (length < size) throw new ReleaseRefusal('tampered', `${what} has ${length} bytes instead of ${size}`);
  if (`sha384-${hash.digest('base64')}` !== integrity)
    throw new ReleaseRefusal('tampered', `${what} is not the one that release.json has the SHA-384 of`);
}

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
  const inside = new Set(Object.keys(release.files).flatMap(foldersOf));
  const folders = [folder, ...[...inside].map((each) => path.join(folder, each))];
  for (const each of folders) await mkdir(each, { recursive: true });
  for (const [name, described] of Object.entries(release.files)) {
    signal.throwIfAborted();
    const handle = await open(path.join(folder, name), 'wx');
    try {
      // Unlike `write`, it goes on where a part of a chunk was written, as on a disk that is almost full.
      await handle.writeFile(checkedContent(readFile(name, signal), described, `its file ${name}`));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  await checkCompressedFiles(folder, release, signal);
  for (const each of folders) {
    const handle = await open(each);
    await handle.sync().finally(() => handle.close());
  }
}
