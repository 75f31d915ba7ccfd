/** Reads a file of a release from where it comes from, chunk by chunk. */
export type FileSource = (file: string, signal: AbortSignal) => AsyncIterable<Uint8Array>;

/** Where a remote's releases come from: a dist folder, or the remote's own server. */
export interface ReleaseOrigin {
  /** The address as an operator wrote it. */
  readonly address: string;
  /**
   * Reads `release.json`; where it has not changed since, this costs no more than the question.
   *
   * @throws OriginFailure where it can't be had
   */
  describe(signal: AbortSignal): Promise<string>;
  /** Reads one of the release's files; throws OriginFailure where it can't be had. */
  readFile(...parameters: Parameters<FileSource>): ReturnType<FileSource>;
}

/** What can go wrong at an origin; the word by which it is counted. */
export type FailureReason = 'unreachable' | 'missing' | 'answer' | 'timeout';

/** An origin does not give what was asked for; the message says what it did instead. */
export class OriginFailure extends Error {
  override readonly name = 'OriginFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
