import type { Event } from '@daybook/contract';
import { Webhook } from 'standardwebhooks';
import { readRetryAfter } from './retry-schedule.ts';

/** How long the receiver may take to answer, in ms. */
const answerLimit = 10_000;

/** What became of an attempt; a reason never quotes what the receiver said, for that may hold an address. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfter?: number | undefined };

/** The operator's mail system, as the standard-webhooks specification addresses it. */
export class Receiver {
  private readonly signers: readonly Webhook[];

  /**
   * @param secrets every one of them signs, so that the receiver may know the old or the new one
   * @param patience how long it may take to answer, in ms
   */
  constructor(
    private readonly url: string,
    secrets: readonly string[],
    private readonly patience = answerLimit,
  ) {
    this.signers = secrets.map((secret) => new Webhook(secret));
  }

  /** Sends an event; the body is the same in every attempt. It never throws: whatever goes wrong is an outcome. */
  async send({ id, type, timestamp, data }: Event & { readonly id: string }): Promise<Outcome> {
    const body = JSON.stringify({ type, timestamp, data });
    const now = new Date();
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Daybook',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': this.signers.map((signer) => signer.sign(id, now, body)).join(' '),
        },
        body,
        // Whoever moves the receiver sets the new address: signed addresses are not handed on to just anybody.
        redirect: 'manual',
        signal: AbortSignal.timeout(this.patience),
      });
      // At once: what is left unread can end the process.
      await response.body?.cancel();
      return outcomeOf(response);
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error) };
    }
  }
}

function outcomeOf({ ok, status, headers }: Response): Outcome {
  if (ok) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', reason: 'The receiver answered 410: it wants no more of this' };
  if (status >= 300 && status < 400) {
    return { kind: 'failed', reason: `The receiver answered ${status}, a redirection; WEBHOOK_URL must name its end` };
  }
  const retryAfter = readRetryAfter(headers.get('retry-after'), Date.now());
  return { kind: 'failed', reason: `The receiver answered ${status}`, retryAfter };
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: unknown } };
  if (name === 'TimeoutError') return 'The receiver did not answer in time';
  return `The receiver could not be reached${typeof cause?.code === 'string' ? ` (${cause.code})` : ''}`;
}
