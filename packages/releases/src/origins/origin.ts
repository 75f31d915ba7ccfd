import type { releaseFileName } from '@daybook/contract/release';

/** File beside a watching build with the errors of its last compilation as text; only while it has any. */
export const buildErrorsFileName = 'errors.txt';

/** File at an origin with the signature of its release in the first line, then the release's `release.json`. */
export const signedFileName = 'release.jws';

/** File at an origin with its preview, in the format of `release.jws`; only while it offers one. */
export const previewFileName = 'preview.jws';

/** File at an origin that describes its release or preview. A signed description is one file, so that it changes atomically. */
export type DescriptionFile = typeof releaseFileName | typeof signedFileName | typeof previewFileName;

/** Reads a file of a release from its source, chunk by chunk. */
export type FileSource = (file: string, signal: AbortSignal) => AsyncIterable<Uint8Array>;

/** Source of a remote's releases: a folder, or the remote's own server. */
export interface ReleaseOrigin {
  /** The address as an operator wrote it. */
  readonly address: string;
  /**
   * Reads the description of the release; conditional, so an unchanged file is not transferred again.
   *
   * @param file `release.json` by default
   * @throws OriginFailure if it can't be read
   */
  describe(signal: AbortSignal, file?: DescriptionFile): Promise<string>;
  /** Reads one of the release's files; throws OriginFailure if it can't be read. */
  readonly readFile: FileSource;
}

/** Failures of an origin; also the metric's `reason` label. */
export const failureReasons = ['unreachable', 'missing', 'answer', 'timeout'] as const;

/** Thrown when an origin does not deliver a file; the message states what it did instead. */
export class OriginFailure extends Error {
  override readonly name = 'OriginFailure';
  readonly reason: (typeof failureReasons)[number];

  constructor(reason: OriginFailure['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/**
 * Reads a description, with a byte order mark if it has one: JSON rejects that.
 *
 * @param what the file, for the message
 * @param limit in bytes
 * @throws OriginFailure if it is larger
 */
export async function readText(chunks: AsyncIterable<Uint8Array>, what: string, limit: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw new OriginFailure('answer', `${what} is larger than ${limit} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
