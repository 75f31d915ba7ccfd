import { Webhook } from 'standardwebhooks';
import type { ClaimedEvent } from './outbox-event.entity.ts';

const second = 1_000;
const hour = 3_600 * second;

/** How long an event is retried after its first attempt, in ms. */
export const retryPeriod = 72 * hour;
/** Exponential backoff: the first delay, the factor, and the max delay, in ms. */
const firstDelay = 5 * second;
const growth = 3;
const maxDelay = 8 * hour;
/** Random share of each delay, either way: spreads the retries of events that failed together. */
const jitter = 0.2;
/** Max Retry-After that is honored, in ms. */
const maxRetryAfter = 24 * hour;

const defaultTimeout = 10 * second;

/** The result of an attempt. A reason never quotes the response, which may contain an address. Delay in ms. */
export type AttemptResult =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'dead'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly delay: number };

/** Sends events to the operator's mail system, as standard webhooks. */
export class Receiver {
  private readonly signers: readonly Webhook[];

  /**
   * @param secrets all of them sign, so that during rotation the receiver can verify with the old or the new one
   * @param timeout for the response, in ms
   */
  constructor(
    private readonly url: string,
    secrets: readonly string[],
    private readonly timeout = defaultTimeout,
  ) {
    this.signers = secrets.map((secret) => new Webhook(secret));
  }

  /** Sends an event, with the same body in every attempt. Never throws. */
  async attempt(event: ClaimedEvent): Promise<AttemptResult> {
    try {
      const { ok, status, headers } = await this.send(event);
      if (ok) return { outcome: 'delivered' };
      if (status === 410)
        return { outcome: 'dead', reason: 'The receiver responded with 410: it does not want this event' };
      const redirection = status >= 300 && status < 400 ? ', a redirect; set WEBHOOK_URL to its target' : '';
      return retry(event, `The receiver responded with ${status}${redirection}`, headers.get('retry-after'));
    } catch (error) {
      const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: unknown } };
      if (name === 'TimeoutError') return retry(event, 'The receiver did not respond in time');
      const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
      return retry(event, `The receiver could not be reached${code}`);
    }
  }

  private async send({ id, type, createdAt, data }: ClaimedEvent): Promise<Response> {
    const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data });
    const now = new Date();
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Daybook',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / second)),
        'webhook-signature': this.signers.map((signer) => signer.sign(id, now, body)).join(' '),
      },
      body,
      // Never follows redirects: they could send addresses to a third party. A moved receiver needs a new WEBHOOK_URL.
      redirect: 'manual',
      signal: AbortSignal.timeout(this.timeout),
    });
    // At once: an unread body can crash the process (docs/decisions/2026-11-21-node-bugs.md).
    await response.body?.cancel();
    return response;
  }
}

function retry(
  { attempts, firstAttemptAt }: ClaimedEvent,
  reason: string,
  header: string | null = null,
): AttemptResult {
  const now = Date.now();
  const elapsed = now - (firstAttemptAt?.getTime() ?? now);
  const retryAfter = readRetryAfter(header, now);
  const delay = nextDelay({ attempts: attempts + 1, elapsed, retryAfter }, Math.random());
  return delay === undefined ? { outcome: 'dead', reason } : { outcome: 'failed', reason, delay };
}

/** Parses a Retry-After header, seconds or a date, to ms from now; 0 without a valid value. */
export function readRetryAfter(header: string | null, now: number): number {
  const text = header ?? '';
  const time = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - now;
  return Math.max(0, time || 0);
}

/** An attempt that failed: number of attempts with this one; ms since the first; Retry-After in ms, 0 without one. */
export type FailedAttempt = Readonly<Record<'attempts' | 'elapsed' | 'retryAfter', number>>;

/**
 * Returns the delay until the next attempt, in ms; `undefined` after three days. The last attempt is made at their end,
 * unless the receiver requested more time.
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
