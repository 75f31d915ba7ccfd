import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Release, ReleaseFile } from '@daybook/contract/release';
import { foldersOf } from './file-names.ts';
import { checkEach, ReleaseRejection } from './rejection.ts';

/** Reads a file of a release from its source, chunk by chunk. */
export type FileSource = (name: string, signal: AbortSignal) => AsyncIterable<Uint8Array>;

/**
 * Yields a file's content, chunk by chunk, and checks it.
 *
 * @param what the file, for the message
 * @throws ReleaseRejection as soon as the content differs from the one in the release
 */
async function* checkedContent(
  chunks: AsyncIterable<Uint8Array>,
  { size, integrity }: ReleaseFile,
  what: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha384');
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    // Checked for each chunk, so that an endless response can't fill the disk.
    if (length > size)
      throw new ReleaseRejection('tampered', `${what} has more than the ${size} bytes in release.json`);
    hash.update(chunk);
    yield chunk;
  }
  if (length < size) throw new ReleaseRejection('tampered', `${what} has ${length} bytes instead of ${size}`);
  if (`sha384-${hash.digest('base64')}` !== integrity)
    throw new ReleaseRejection('tampered', `${what} does not match its SHA-384 in release.json`);
}

/** Files with these extensions are sent instead of the plain file, to browsers that accept them. */
const decompressors: Readonly<Record<string, () => Transform>> = {
  '.br': createBrotliDecompress,
  '.gz': createGunzip,
  '.deflate': createInflate,
};

const isOfDisk = (error: unknown) => (error as NodeJS.ErrnoException).syscall !== undefined;

/**
 * Checks that each compressed file of a release matches its plain file: otherwise browsers would reject the script by
 * its integrity value, and the page would be broken for most visitors.
 *
 * @param folder folder of the release's files
 * @throws ReleaseRejection naming the files that do not match
 */
export async function checkCompressedFiles(
  folder: string,
  { files }: Pick<Release, 'files'>,
  signal: AbortSignal,
): Promise<void> {
  await checkEach(Object.keys(files), async (name) => {
    const ending = path.extname(name);
    const plainName = name.slice(0, -ending.length);
    const decompress = decompressors[ending];
    const plain = Object.hasOwn(files, plainName) ? files[plainName] : undefined;
    if (!plain || !decompress) return;
    const discard = async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const _ of checkedContent(chunks, plain, plainName));
    };
    try {
      await pipeline(createReadStream(path.join(folder, name)), decompress(), discard, { signal });
    } catch (error) {
      if (signal.aborted || isOfDisk(error)) throw error;
      throw new ReleaseRejection('tampered', `its file ${name} is not its file ${plainName} compressed`);
    }
  });
}

/**
 * Writes all files of a release into a folder, and checks each against its size and SHA-384 while writing.
 *
 * @throws ReleaseRejection naming the files that differ from their entries in the release
 */
export async function writeReleaseFiles(
  folder: string,
  release: Pick<Release, 'files'>,
  readFile: FileSource,
  signal: AbortSignal,
): Promise<void> {
  const inside = new Set(Object.keys(release.files).flatMap(foldersOf));
  const folders = [folder, ...[...inside].map((each) => path.join(folder, each))];
  for (const each of folders) await mkdir(each, { recursive: true });
  await checkEach(Object.entries(release.files), async ([name, listed]) => {
    signal.throwIfAborted();
    const content = checkedContent(readFile(name, signal), listed, `its file ${name}`);
    await writeFile(path.join(folder, name), content, { flag: 'wx' });
  });
}
