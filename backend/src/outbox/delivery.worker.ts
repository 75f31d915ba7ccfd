import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type Job, PgBoss } from 'pg-boss';
import { DeliveryService } from './delivery.service.ts';
import { OutboxRepository } from './outbox.repository.ts';

const queue = 'webhook';

/** Events that one backend delivers at a time. */
const atATime = 10;
/** Events that are in the queue at a time: those that wait longest; the others wait in the outbox. */
const queueLength = 200;
/** How often what is due is looked for, and how often while there is more than the queue takes, in ms. */
const interval = 1_000;
const busyInterval = 100;
/** An attempt has an outcome long before this, in seconds; what is still unfinished then is of a process that is gone. */
const attemptLimit = 30;
/** How long a shutdown waits for attempts under way, in ms: as long as the receiver may take, and the database. */
const shutdownLimit = 15_000;

interface Delivery {
  readonly id: string;
}

/**
 * Lets the queue deliver what is due. An event in the queue is a job with the event's id as its key, of which the
 * queue has one at a time however many backends put it there: each attempt is made by one of them. The job is one
 * attempt; when the next one is due stands in the outbox alone, so that nothing is lost with a job.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Outbox');
  private readonly stop = new AbortController();
  private running = Promise.resolve();
  private worker: string | undefined;
  private lastError = '';

  constructor(
    private readonly jobs: PgBoss,
    private readonly outbox: OutboxRepository,
    private readonly deliveries: DeliveryService,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.on('error', (error) => this.tell(error));
    this.running = this.run();
  }

  /** Attempts under way are waited for: after this hook the connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.running;
    await this.jobs.stop({ timeout: shutdownLimit }).catch((error: Error) => this.tell(error));
  }

  private async run(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      const pause = await this.fillQueue().catch((error: Error) => {
        this.tell(error);
        return interval;
      });
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Gives the time until it shall be done again, in ms. */
  private async fillQueue(): Promise<number> {
    this.worker ??= await this.start();
    const ids = await this.outbox.due(queueLength);
    this.lastError = '';
    if (ids.length === 0) return interval;
    // What is in the queue already is left as it is.
    await this.jobs.insert(
      queue,
      ids.map((id) => ({ singletonKey: id, data: { id } satisfies Delivery })),
    );
    this.jobs.notifyWorker(this.worker);
    return ids.length === queueLength ? busyInterval : interval;
  }

  /** No signup waits for it: what hinders delivery, such as a schema that is not migrated yet, is tried again. */
  private async start(): Promise<string> {
    await this.jobs.start();
    const options = { retryLimit: 0, expireInSeconds: attemptLimit, deleteAfterSeconds: 3_600 };
    await this.jobs.createQueue(queue, { policy: 'exclusive', ...options });
    await this.jobs.updateQueue(queue, options);
    return this.jobs.work<Delivery>(
      queue,
      { batchSize: atATime, burstWhenBatchFull: true, pollingIntervalSeconds: 1 },
      (jobs) => this.deliver(jobs),
    );
  }

  private async deliver(jobs: readonly Job<Delivery>[]): Promise<void> {
    const attempts = await Promise.allSettled(jobs.map(({ data }) => this.deliveries.attempt(data.id)));
    const failure = attempts.find((attempt) => attempt.status === 'rejected');
    if (!failure) return;
    this.tell(failure.reason as Error);
    throw failure.reason;
  }

  /** Each trouble is told once: while the database is away, every look at it fails. */
  private tell({ message }: Error): void {
    if (message !== this.lastError)
      this.logger.error(`Events cannot be delivered at the moment, and are kept: ${message}`);
    this.lastError = message;
  }
}
