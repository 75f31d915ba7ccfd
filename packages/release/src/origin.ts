/** Reads a file of a release from its source, chunk by chunk. */
export type FileSource = (file: string, signal: AbortSignal) => AsyncIterable<Uint8Array>;

/** Source of a remote's releases: a folder, or the remote's own server. */
export interface ReleaseOrigin {
  /** The address as an operator wrote it. */
  readonly address: string;
  /**
   * Reads `release.json`; conditional, so an unchanged file is not transferred again.
   *
   * @throws OriginFailure if it can't be read
   */
  describe(signal: AbortSignal): Promise<string>;
  /** Reads one of the release's files; throws OriginFailure if it can't be read. */
  readFile(...parameters: Parameters<FileSource>): ReturnType<FileSource>;
}

/** Failures of an origin; also the metric's `reason` label. */
export type FailureReason = 'unreachable' | 'missing' | 'answer' | 'timeout';

/** Thrown when an origin does not deliver a file; the message states what it did instead. */
export class OriginFailure extends Error {
  override readonly name = 'OriginFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
