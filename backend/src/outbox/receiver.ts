import { Webhook } from 'standardwebhooks';
import type { OutboxEvent } from './outbox-event.entity.ts';

const second = 1_000;
const hour = 3_600 * second;

/** How long an event is retried after its first attempt, in ms. */
export const retryPeriod = 72 * hour;
/** The delay after the first attempt, the factor by which each further one grows, and the longest, in ms. */
const firstDelay = 5 * second;
const growth = 3;
const maxDelay = 8 * hour;
/** Delays differ by up to a fifth either way, so that events which failed together don't all come back together. */
const jitter = 0.2;
/** The longest Retry-After that is honored, in ms. */
const maxRetryAfter = 24 * hour;

const defaultTimeout = 10 * second;

/** The result of an attempt; a reason never quotes the response, which may hold an address. */
export type DeliveryResult =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfter: number };

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
  async send(event: Pick<OutboxEvent, 'id' | 'type' | 'createdAt' | 'data'>): Promise<DeliveryResult> {
    const { id, type, createdAt, data } = event;
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
      return { kind: 'failed', reason: reasonOf(error), retryAfter: 0 };
    }
  }
}

function resultOf({ ok, status, headers }: Response): DeliveryResult {
  if (ok) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', reason: 'The receiver answered 410: it wants no more of this' };
  const redirection = status >= 300 && status < 400 ? ', a redirection; WEBHOOK_URL must name its end' : '';
  const retryAfter = readRetryAfter(headers.get('retry-after'), Date.now());
  return { kind: 'failed', reason: `The receiver answered ${status}${redirection}`, retryAfter };
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: unknown } };
  if (name === 'TimeoutError') return 'The receiver did not answer in time';
  return `The receiver could not be reached${typeof cause?.code === 'string' ? ` (${cause.code})` : ''}`;
}

/** Reads a Retry-After header, which holds seconds or a date, in ms from now; 0 where it says nothing. */
export function readRetryAfter(header: string | null, now: number): number {
  const text = header ?? '';
  const time = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - now;
  return Math.max(0, time || 0);
}

/** An attempt that failed. */
export interface FailedAttempt {
  /** How many attempts there were, this one included. */
  readonly attempts: number;
  /** Since the first attempt, in ms. */
  readonly elapsed: number;
  /** Requested by the receiver, in ms; 0 where it requested nothing. */
  readonly retryAfter: number;
}

/**
 * Returns the time until the next attempt, in ms; undefined where the three days are over. The last attempt is made at
 * their end, unless the receiver requested more time.
 *
 * @param random from 0 to 1
 */
export function nextDelay({ attempts, elapsed, retryAfter }: FailedAttempt, random: number): number | undefined {
  if (elapsed >= retryPeriod) return undefined;
  const grown = Math.min(firstDelay * growth ** (attempts - 1), maxDelay);
  const scattered = Math.round(grown * (1 - jitter + 2 * jitter * random));
  const own = Math.min(scattered, Math.ceil(retryPeriod - elapsed));
  return Math.max(own, Math.min(retryAfter, maxRetryAfter));
}
