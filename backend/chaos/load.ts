import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** What was answered with success: that must not be lost. */
export interface Acknowledged {
  /** Ids of entries. */
  readonly created: Set<number>;
  readonly completed: Set<number>;
  /** Addresses. */
  readonly emergencies: Set<string>;
}

/** Visitors at a time, and how long each pauses between two visits, in ms. */
const visitors = 8;
const pause = 60;
/** Of so many visitors one completes the registration, and one sends an emergency notice. */
const completesOneIn = 3;
const emergencyOneIn = 10;

/** Visitors who sign up at backends that come and go, until they are stopped. */
export class Load {
  readonly acknowledged: Acknowledged = { created: new Set(), completed: new Set(), emergencies: new Set() };
  /** Calls, and how many of them had an answer other than success, or none. */
  sent = 0;
  failed = 0;
  private visits = 0;
  private readonly stopping = new AbortController();
  private readonly running: readonly Promise<void>[];
  private readonly backends: readonly string[];

  /** @param backends their addresses */
  constructor(backends: readonly string[]) {
    this.backends = backends;
    this.running = Array.from({ length: visitors }, () => this.visitUntilStopped());
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  private async visitUntilStopped(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.visit(++this.visits);
      await delay(pause);
    }
  }

  private async visit(number: number): Promise<void> {
    const email = `visitor${number}@example.com`;
    const answer = await this.call('POST', '/api/waitlist', { email }, 201);
    const { entry } = (answer ?? {}) as { entry?: { id: number } };
    if (entry) this.acknowledged.created.add(entry.id);
    if (entry && number % completesOneIn === 0) await this.complete(entry.id);
    if (number % emergencyOneIn === 0) await this.sendEmergency(email);
  }

  /** As the thank-you page does it, which tells up to three times, and here all at once. */
  private async complete(id: number): Promise<void> {
    const notice = { source: 'chaos', timestamp: new Date().toISOString(), forceSend: true };
    const answers = await Promise.all([
      this.call('PUT', `/api/waitlist/${id}/complete`),
      this.call('POST', `/api/waitlist/${id}/notify-complete`, notice),
      this.call('POST', `/api/waitlist/${id}/notify-complete`, notice),
    ]);
    if (answers.some(Boolean)) this.acknowledged.completed.add(id);
  }

  private async sendEmergency(email: string): Promise<void> {
    const notice = { email, source: 'chaos', timestamp: new Date().toISOString() };
    const calls = [1, 2, 3].map(() => this.call('POST', '/api/emergency-webhook', notice));
    if ((await Promise.all(calls)).some(Boolean)) this.acknowledged.emergencies.add(email);
  }

  /** The answer of any of the backends, or undefined where it was no success. */
  private async call(method: string, path: string, json?: object, success = 200): Promise<unknown> {
    this.sent++;
    try {
      const answer = await fetch(`${this.backends[randomInt(this.backends.length)]}${path}`, {
        method,
        // Each visitor comes from a network of its own, as far as the backend can see.
        headers: {
          'x-forwarded-for': `${randomInt(1, 220)}.${randomInt(256)}.${randomInt(256)}.1`,
          ...(json && { 'content-type': 'application/json' }),
        },
        ...(json && { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(10_000),
      });
      const body = await answer.json();
      if (answer.status === success) return body;
    } catch {
      // Killed in the middle: whether it was stored is not known, and nobody was told that it was.
    }
    this.failed++;
    return undefined;
  }
}
