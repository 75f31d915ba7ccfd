import { Webhook } from 'standardwebhooks';
import type { ClaimedEvent, EventStatus } from './outbox-event.entity.ts';

const second = 1_000;
const hour = 3_600 * second;

const timeout = 10 * second;

/** Max attempts of an event: three days, with the delays of `backoff`. */
export const maxAttempts = 18;

/** The status of an event after an attempt. A reason never quotes the response, which may contain an email. Delay in ms. */
export interface AttemptResult {
  readonly status: EventStatus;
  readonly reason?: string;
  readonly delay?: number;
}

export class Receiver {
  private readonly signers: readonly Webhook[];

  /** @param secrets all of them sign, so that during rotation the receiver can verify with the old or the new one */
  constructor(
    private readonly url: string,
    secrets: readonly string[],
  ) {
    this.signers = secrets.map((secret) => new Webhook(secret));
  }

  async attempt(event: ClaimedEvent): Promise<AttemptResult> {
    try {
      const { ok, status, headers } = await this.send(event);
      if (ok) return { status: 'delivered' };
      if (status === 410)
        return { status: 'dead', reason: 'The receiver responded with 410: it does not want this event' };
      const redirection = status >= 300 && status < 400 ? ', a redirect; set WEBHOOK_URL to its target' : '';
      return retry(
        event,
        `The receiver responded with ${status}${redirection}`,
        readRetryAfter(headers.get('retry-after')),
      );
    } catch (error) {
      const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: string } };
      const reason =
        name === 'TimeoutError' ? 'did not respond in time' : `could not be reached (${cause?.code ?? name})`;
      return retry(event, `The receiver ${reason}`);
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
      // Never follows redirects: they could send emails to a third party. A moved receiver needs a new WEBHOOK_URL.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    // At once: an unread body can crash the process (docs/decisions/2026-11-22-request-framing.md).
    await response.body?.cancel();
    return response;
  }
}

function retry({ attempts }: ClaimedEvent, reason: string, retryAfter = 0): AttemptResult {
  if (attempts + 1 >= maxAttempts) return { status: 'dead', reason };
  return { status: 'pending', reason, delay: Math.max(backoff(attempts), retryAfter) };
}

/** Returns the delay in ms after an attempt, by the number of attempts before it: exponential, up to 8 hours. */
export const backoff = (attempts: number): number => Math.min(5 * second * 3 ** attempts, 8 * hour);

/** Parses a Retry-After header, seconds or a date, to ms from now, at most a day; 0 without a valid value. */
export function readRetryAfter(header: string | null): number {
  const text = header ?? '';
  const time = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - Date.now();
  return Math.min(Math.max(0, time || 0), 24 * hour);
}
