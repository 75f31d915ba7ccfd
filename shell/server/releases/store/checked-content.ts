import { createHash } from 'node:crypto';
import type { ReleaseFile } from '@daybook/contract';
import { ReleaseRefusal } from './release-refusal.ts';

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
