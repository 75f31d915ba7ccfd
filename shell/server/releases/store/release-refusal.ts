/** Why a release is not taken; the word by which it is counted. */
export type RefusalReason =
  | 'malformed'
  | 'foreign'
  | 'contract'
  | 'incomplete'
  | 'collision'
  | 'too-large'
  | 'fragment'
  | 'tampered'
  | 'version-reused';

const maxMessage = 500;

/** A release that this shell does not take; the message says why and what to do. */
export class ReleaseRefusal extends Error {
  override readonly name = 'ReleaseRefusal';
  readonly reason: RefusalReason;

  /**
   * @param message loses control characters, which a terminal would act on, and is cut: what it quotes of a release may
   *   be hostile and endless
   */
  constructor(reason: RefusalReason, message: string) {
    const line = message.slice(0, 4 * maxMessage).replaceAll(/[\s\p{C}]+/gu, ' ');
    super(line.length > maxMessage ? `${line.slice(0, maxMessage)} …` : line);
    this.reason = reason;
  }
}
