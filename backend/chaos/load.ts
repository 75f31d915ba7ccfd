import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** Visitors at a time, and how long each pauses between two visits, in ms. */
const visitors = 8;
const pause = 60;
/** Of so many visitors one completes the registration, and one sends an emergency notice. */
const completesOneIn = 3;
const emergencyOneIn = 10;

/** What was answered with success, and must not be lost. */
export type Acknowledged = Load['acknowledged'];

/** Visitors who sign up at backends that come and go, until they are stopped. */
export class Load {
  /** Ids of entries, and addresses. */
  readonly acknowledged = { created: new Set<number>(), completed: new Set<number>(), emergencies: new Set<string>() };
  /** Calls, and how many of them had no success. */
  sent = 0;
  failed = 0;
  private isStopped = false;
  private readonly running: readonly Promise<void>[];
  private readonly backends: readonly string[];

  /** @param backends their addresses */
  constructor(backends: readonly string[]) {
    this.backends = backends;
    this.running = Array.from({ length: visitors }, (_, visitor) => this.visitUntilStopped(visitor));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  private async visitUntilStopped(first: number): Promise<void> {
    for (let number = first; !this.isStopped; number += visitors) {
      await this.visit(number);
      await delay(pause);
    }
  }

  /** Repeats of a call come all at once, from a page that sends its notices up to three times. */
  private async visit(number: number): Promise<void> {
    const { completed, created, emergencies } = this.acknowledged;
    const email = `visitor${number}@example.com`;
    const notice = { source: 'chaos', timestamp: new Date().toISOString() };
    const response = await this.call('POST', '/api/waitlist', { email }, 201);
    const { id } = (response as { entry?: { id: number } } | undefined)?.entry ?? {};
    if (id !== undefined) created.add(id);
    if (id !== undefined && number % completesOneIn === 0) {
      const notify = () => this.call('POST', `/api/waitlist/${id}/notify-complete`, { ...notice, forceSend: true });
      const responses = await Promise.all([this.call('PUT', `/api/waitlist/${id}/complete`), notify(), notify()]);
      if (responses.some(Boolean)) completed.add(id);
    }
    if (number % emergencyOneIn === 0) {
      const calls = [1, 2, 3].map(() => this.call('POST', '/api/emergency-webhook', { email, ...notice }));
      if ((await Promise.all(calls)).some(Boolean)) emergencies.add(email);
    }
  }

  /** Returns the response of one of the backends, or undefined where it was no success. */
  private async call(method: string, path: string, json?: object, success = 200): Promise<unknown> {
    this.sent++;
    try {
      const response = await fetch(`${this.backends[randomInt(this.backends.length)]}${path}`, {
        method,
        // Each visitor comes from a network of its own, as far as the backend can see.
        headers: {
          'x-forwarded-for': `${randomInt(1, 220)}.${randomInt(256)}.${randomInt(256)}.1`,
          ...(json && { 'content-type': 'application/json' }),
        },
        ...(json && { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(10_000),
      });
      const body = await response.json();
      if (response.status === success) return body;
    } catch {
      // Killed in the middle: whether it was stored is not known, and nobody was told that it was.
    }
    this.failed++;
    return undefined;
  }
}
