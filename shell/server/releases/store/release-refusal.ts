/** Why a release is not taken; the word by which it is counted. */
export type RefusalReason =
  | 'malformed'
  | 'foreign'
  | 'contract'
  | 'incomplete'
  | 'collision'
  | 'too-large'
  | 'tampered'
  | 'version-reused';

/** A release that this shell does not take; the message says why and what to do. */
export class ReleaseRefusal extends Error {
  override readonly name = 'ReleaseRefusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
