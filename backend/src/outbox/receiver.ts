import { Webhook } from 'standardwebhooks';
import type { OutboxEvent } from './outbox-event.entity.ts';
import { readRetryAfter } from './retry-schedule.ts';

/** In ms. */
const defaultTimeout = 10_000;

/** The result of an attempt; a reason never quotes the response, which may hold an address. */
export type DeliveryResult =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfter?: number | undefined };

/** The operator's mail system, as the standard-webhooks specification addresses it. */
export class Receiver {
  private readonly signers: readonly Webhook[];

  /**
   * @param secrets every one of them signs, so that the receiver may know the old or the new one
   * @param timeout for the response, in ms
   */
  constructor(
    private readonly url: string,
    secrets: readonly string[],
    private readonly timeout = defaultTimeout,
  ) {
    this.signers = secrets.map((secret) => new Webhook(secret));
  }

  /** Sends an event; the body is the same in every attempt. It never throws: failures are results. */
  async send({
    id,
    type,
    createdAt,
    data,
  }: Pick<OutboxEvent, 'id' | 'type' | 'createdAt' | 'data'>): Promise<DeliveryResult> {
    const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data });
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
        signal: AbortSignal.timeout(this.timeout),
      });
      // At once: what is left unread can end the process.
      await response.body?.cancel();
      return resultOf(response);
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error) };
    }
  }
}

function resultOf({ ok, status, headers }: Response): DeliveryResult {
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
