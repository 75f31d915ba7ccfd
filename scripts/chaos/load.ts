import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** Concurrent visitors, and the pause of each between two visits, in ms. */
const visitors = 8;
const pause = 60;

/** Simulates visitors that sign up, until stopped, at backends that are killed and restarted. */
export class Load {
  /** Successful calls, whose data must not be lost: ids of entries, and addresses. */
  readonly acknowledged = { created: new Set<number>(), completed: new Set<number>(), emergencies: new Set<string>() };
  /** Number of calls, and of failed ones. */
  sent = 0;
  failed = 0;
  #isStopped = false;
  readonly #running: readonly Promise<void>[];
  readonly #backends: readonly string[];

  /** @param backends URLs of the backends */
  constructor(backends: readonly string[]) {
    this.#backends = backends;
    this.#running = Array.from({ length: visitors }, (_, visitor) => this.#visitUntilStopped(visitor));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #visitUntilStopped(first: number): Promise<void> {
    for (let number = first; !this.#isStopped; number += visitors) {
      await this.#visit(number);
      await delay(pause);
    }
  }

  /** Every third visitor completes the registration, every tenth sends an emergency notice; pages repeat their notices. */
  async #visit(number: number): Promise<void> {
    const { completed, created, emergencies } = this.acknowledged;
    const email = `visitor${number}@example.com`;
    const notice = { source: 'chaos', timestamp: new Date().toISOString() };
    const response = await this.#call('POST', '/api/waitlist', { email }, 201);
    const { id } = (response as { entry?: { id: number } } | undefined)?.entry ?? {};
    if (id !== undefined) created.add(id);
    if (id !== undefined && number % 3 === 0) {
      const notify = () => this.#call('POST', `/api/waitlist/${id}/notify-complete`, { ...notice, forceSend: true });
      const responses = await Promise.all([this.#call('PUT', `/api/waitlist/${id}/complete`), notify(), notify()]);
      if (responses.some(Boolean)) completed.add(id);
    }
    if (number % 10 === 0) {
      const calls = [1, 2, 3].map(() => this.#call('POST', '/api/emergency-webhook', { email, ...notice }));
      if ((await Promise.all(calls)).some(Boolean)) emergencies.add(email);
    }
  }

  /** Calls one of the backends. Returns the response, or `undefined` after a failure. */
  async #call(method: string, path: string, json?: object, success = 200): Promise<unknown> {
    this.sent++;
    try {
      // A random network per call, to stay below the rate limits.
      const network = { 'x-forwarded-for': `${randomInt(1, 220)}.${randomInt(256)}.${randomInt(256)}.1` };
      const response = await fetch(`${this.#backends[randomInt(this.#backends.length)]}${path}`, {
        method,
        headers: { ...network, ...(json && { 'content-type': 'application/json' }) },
        ...(json && { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(10_000),
      });
      const body = await response.json();
      if (response.status === success) return body;
    } catch {
      // Killed during the call: may or may not be stored, and was not acknowledged.
    }
    this.failed++;
    return undefined;
  }
}
