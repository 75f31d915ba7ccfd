import { createHmac, randomBytes } from 'node:crypto';
import { customerNetworkOf, deriveKey, isSameSecret } from '@daybook/server';
import { OnceWithin } from './once-within.ts';

/** A nonce is valid for this many ms. */
const lifetime = 10 * 60_000;

/** Max uses remembered, about 2 MB. */
const maxUses = 20_000;

/** Proves which releases a browser received recently, and in which network. */
export interface ReportNonce {
  readonly id: string;
  /** Keyed hash of the client network, the same on every replica. */
  readonly network: string;
  /** As `name@version`. */
  readonly releases: readonly string[];
}

interface Payload extends Pick<ReportNonce, 'id' | 'releases'> {
  /** In ms since the epoch. */
  readonly expires: number;
}

/**
 * Signed nonces for reports: only a browser that received a release can report on it, from the same network, within
 * 10 minutes and once. Replicas with the same secret accept each other's nonces, but each tracks used ones on its own.
 */
export class ReportNonces {
  readonly #key: Buffer;
  readonly #uses = new OnceWithin(lifetime, maxUses);

  /** @param secret shared by all replicas */
  constructor(secret: string) {
    this.#key = deriveKey(secret, 'report nonce');
  }

  issue(address: string, releases: readonly string[]): { readonly nonce: ReportNonce; readonly text: string } {
    const id = randomBytes(12).toString('base64url');
    const network = this.#hash(customerNetworkOf(address));
    const content = { id, releases, expires: Date.now() + lifetime } satisfies Payload;
    const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
    return { nonce: { id, network, releases }, text: `${payload}.${this.#hash(`${payload} ${network}`)}` };
  }

  /** Returns the content of a nonce; `undefined` for one that is forged, expired or from another network. */
  verify(text: string, address: string): ReportNonce | undefined {
    const [payload = '', ...rest] = text.split('.');
    const network = this.#hash(customerNetworkOf(address));
    if (!isSameSecret(rest.join('.'), this.#hash(`${payload} ${network}`))) return undefined;
    const { id, releases, expires } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload;
    return Date.now() < expires ? { id, network, releases } : undefined;
  }

  /** Marks a nonce as used for a purpose; `false` if it was already. */
  use({ id }: ReportNonce, purpose: string): boolean {
    return this.#uses.admits(`${id} ${purpose}`);
  }

  readonly #hash = (text: string) => createHmac('sha256', this.#key).update(text).digest('base64url');
}
