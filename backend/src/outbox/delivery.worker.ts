import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type Job, PgBoss } from 'pg-boss';
import { Metrics } from '../metrics.ts';
import { OutboxRepository } from './outbox.repository.ts';
import type { OutboxEvent } from './outbox-event.entity.ts';
import { nextDelay, Receiver } from './receiver.ts';

const queue = 'webhook';

/** Max events that one backend delivers at a time. */
const batchSize = 10;
/** Max events in the queue: those that have been due longest; the others wait in the outbox. */
const queueLength = 200;
/** Intervals in ms at which the outbox is polled for due events: normally, and while the queue is full. */
const pollInterval = 1_000;
const busyPollInterval = 100;
/** Timeout of a job in seconds, longer than any attempt: only jobs of a killed process reach it. */
const jobTimeout = 30;
/** Shutdown timeout in ms for attempts in progress: the timeouts of the receiver and of the database together. */
const shutdownTimeout = 15_000;

interface Delivery {
  readonly id: string;
}

/**
 * Delivers due events through the queue. The job of an event has the event's id as its singleton key, so that only one
 * backend makes each attempt, however many of them insert the job. A job is a single attempt: the retry schedule is
 * stored in the outbox only, so that a lost job loses nothing.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Outbox');
  private readonly stop = new AbortController();
  private running = Promise.resolve();
  private worker: string | undefined;
  /** Messages of errors since the outbox and its queue last worked. */
  private readonly loggedErrors = new Set<string>();
  private isReceiverFailing = false;

  constructor(
    private readonly jobs: PgBoss,
    private readonly outbox: OutboxRepository,
    private readonly receiver: Receiver,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.startCountingAttempts();
    this.jobs.on('error', (error) => this.logError(error));
    this.running = this.run();
  }

  /** Waits for attempts in progress: after this hook, the connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.running;
    await this.jobs.stop({ timeout: shutdownTimeout }).catch((error: Error) => this.logError(error));
  }

  private async run(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      const pause = await this.fillQueue().catch((error: Error) => {
        this.logError(error);
        return pollInterval;
      });
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Inserts jobs for due events. Returns the ms until the next call. */
  private async fillQueue(): Promise<number> {
    this.worker ??= await this.start();
    const ids = await this.outbox.due(queueLength);
    if (ids.length > 0) {
      // Ignores events that are in the queue already.
      await this.jobs.insert(
        queue,
        ids.map((id) => ({ singletonKey: id, data: { id } satisfies Delivery })),
      );
      this.jobs.notifyWorker(this.worker);
    }
    // Not before: a database that can only be read fails at the insert, and each error is logged once.
    this.loggedErrors.clear();
    return ids.length === queueLength ? busyPollInterval : pollInterval;
  }

  /** Runs in the background instead of at startup: errors, such as a pending migration, never delay signups. */
  private async start(): Promise<string> {
    await this.jobs.start();
    const options = { retryLimit: 0, expireInSeconds: jobTimeout, deleteAfterSeconds: 3_600 };
    await this.jobs.createQueue(queue, { policy: 'exclusive', ...options });
    await this.jobs.updateQueue(queue, options);
    return this.jobs.work<Delivery>(queue, { batchSize, burstWhenBatchFull: true, pollingIntervalSeconds: 1 }, (jobs) =>
      this.deliver(jobs),
    );
  }

  private async deliver(jobs: readonly Job<Delivery>[]): Promise<void> {
    const attempts = await Promise.allSettled(jobs.map(({ data }) => this.attempt(data.id)));
    const failure = attempts.find((attempt) => attempt.status === 'rejected');
    if (!failure) return;
    this.logError(failure.reason as Error);
    throw failure.reason;
  }

  /**
   * Attempts once to deliver an event; does nothing if it is no longer due because another backend was faster.
   *
   * @throws the driver's error when the database cannot be reached; the event then stays due
   */
  private async attempt(id: string): Promise<void> {
    const event = await this.outbox.findDue(id);
    if (!event) return;
    const result = await this.receiver.send(event);
    if (result.kind === 'delivered') return this.recordDelivery(event);
    if (result.kind === 'gone') return this.recordDeath(event, result.reason, result.reason);
    const elapsed = Date.now() - (event.firstAttemptAt?.getTime() ?? Date.now());
    const attempts = event.attempts + 1;
    const delay = nextDelay({ attempts, elapsed, retryAfter: result.retryAfter }, Math.random());
    if (delay === undefined) return this.recordDeath(event, result.reason, `${result.reason}, for three days`);
    return this.recordFailure(event, result.reason, delay);
  }

  private async recordDelivery({ id }: OutboxEvent): Promise<void> {
    await this.outbox.recordDelivery(id);
    this.metrics.attempts.inc({ outcome: 'delivered' });
    if (this.isReceiverFailing) this.logger.log('The receiver accepts events again.');
    this.isReceiverFailing = false;
  }

  /** Logs once when failures begin and once when they end: while the receiver is down, every event fails. */
  private async recordFailure({ id }: OutboxEvent, reason: string, delay: number): Promise<void> {
    await this.outbox.recordFailure(id, reason, delay);
    this.metrics.attempts.inc({ outcome: 'failed' });
    if (!this.isReceiverFailing) this.logger.warn(`${reason}. Events are stored, and each is retried for three days.`);
    this.isReceiverFailing = true;
  }

  private async recordDeath({ id, type }: OutboxEvent, reason: string, logged: string): Promise<void> {
    await this.outbox.recordDeath(id, reason);
    this.metrics.attempts.inc({ outcome: 'dead' });
    this.logger.error(`${logged}: event ${id}, ${type}, is dead. It is stored, and can be replayed.`);
  }

  /** Logs each error once: while the database is unreachable, every poll fails. */
  private logError({ message }: Error): void {
    if (!this.loggedErrors.has(message))
      this.logger.error(`Events cannot be delivered at the moment, and stay stored: ${message}`);
    this.loggedErrors.add(message);
  }
}
