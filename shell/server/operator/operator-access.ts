import { createHmac } from 'node:crypto';
import { isBearerOf, isSameSecret } from '@daybook/server';

/** An operator stays signed in for this long, in ms: eight hours. */
export const sessionLength = 8 * 60 * 60_000;

/** Who may see and change the releases: whoever has the operator's token, or a session that was opened with it. */
export class OperatorAccess {
  readonly #token: string;
  readonly #now: () => number;

  /** @param now the time in ms since the epoch */
  constructor(token: string, now: () => number = Date.now) {
    this.#token = token;
    this.#now = now;
  }

  isToken(given: string): boolean {
    return isSameSecret(given, this.#token);
  }

  /** Whether an `Authorization` header carries the token. */
  isAuthorization(header: string | undefined): boolean {
    return isBearerOf(this.#token, header);
  }

  /** A session for a cookie: the operator's name, when it ends, and a signature with the token. */
  openSession(name: string): string {
    const content = `${Buffer.from(name).toString('base64url')}.${this.#now() + sessionLength}`;
    return `${content}.${this.#sign(content)}`;
  }

  /** The name of the operator whose session this is; `undefined` where it is none, or over. */
  nameOf(session: string | undefined): string | undefined {
    const [name = '', end = '', signature = ''] = session?.split('.') ?? [];
    if (!isSameSecret(signature, this.#sign(`${name}.${end}`)) || Number(end) <= this.#now()) return undefined;
    return Buffer.from(name, 'base64url').toString();
  }

  #sign(content: string): string {
    return createHmac('sha256', this.#token).update(`operator session ${content}`).digest('base64url');
  }
}
