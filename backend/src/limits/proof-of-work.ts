import { createHmac, hash, randomBytes } from 'node:crypto';
import {
  leadingZeroBits,
  type ProofOfWork as Proof,
  type ProofChallenge,
  proofOfWorkSchema,
  proofText,
} from '@daybook/contract';
import { deriveKey, isSameSecret } from '@daybook/server';
import type { CountTable } from './count-table.ts';
import { windowLength } from './sliding-counts.ts';

/** Zero bits of an answer's hash: 16,384 attempts on average, half a second of a browser. */
const difficulty = 14;

/** A challenge can be answered for this long, in ms; slow phones need some seconds. */
const lifetime = 2 * 60_000;

/**
 * Challenges for clients that have to show some work. They are signed and not kept; only the answered ones are, until
 * they are over, so that each lets one request through, whichever backend it reaches.
 */
export class ProofOfWork {
  /** @param secrets the first one signs, all of them verify */
  constructor(
    private readonly secrets: readonly string[],
    private readonly table: CountTable,
    private readonly now: () => number = Date.now,
  ) {}

  challenge(): ProofChallenge {
    const content = `${randomBytes(16).toString('base64url')}.${this.now() + lifetime}.${difficulty}`;
    return { challenge: `${content}.${sign(content, this.secrets[0] ?? '')}`, difficulty };
  }

  /** Whether a body brings the answer to a challenge of ours that nobody has used; it is used up then. */
  async isShownBy(body: unknown): Promise<boolean> {
    const given = typeof body === 'object' && body !== null && 'proofOfWork' in body ? body.proofOfWork : undefined;
    const proof = proofOfWorkSchema.safeParse(given);
    if (!proof.success || !this.isOurs(proof.data) || !isAnswered(proof.data)) return false;
    const [nonce = '', end] = proof.data.challenge.split('.');
    return this.table.useUp(Math.floor(Number(end) / windowLength), nonce);
  }

  private isOurs({ challenge }: Proof): boolean {
    const [nonce, end, bits, signature = ''] = challenge.split('.');
    if (!(Number(end) > this.now())) return false;
    return this.secrets.some((secret) => isSameSecret(signature, sign(`${nonce}.${end}.${bits}`, secret)));
  }
}

const sign = (content: string, secret: string) =>
  createHmac('sha256', deriveKey(secret, 'proof of work')).update(content).digest('base64url');

const isAnswered = (proof: Proof) =>
  leadingZeroBits(hash('sha256', proofText(proof), 'buffer')) >= Number(proof.challenge.split('.')[2]);
