import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Metrics } from '../metrics.ts';
import { OutboxRepository } from './outbox.repository.ts';
import type { ClaimedEvent } from './outbox-event.entity.ts';
import { type AttemptResult, Receiver } from './receiver.ts';

/** Interval in ms at which the outbox is polled while no event is due. */
const pollInterval = 1_000;

/** Delivers due events. Any number of workers share the outbox, and each may be killed at any time. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Outbox');
  private readonly stop = new AbortController();
  private running = Promise.resolve();
  /** Messages of errors since the outbox last worked: while the database is unreachable, every poll fails. */
  private readonly loggedErrors = new Set<string>();
  private isReceiverFailing = false;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly receiver: Receiver,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.startCountingAttempts();
    this.running = this.run();
  }

  /** Waits for attempts in progress: after this hook, the connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      const wereDue = await this.deliverDue().catch((error: Error) => this.logError(error));
      if (!wereDue) await delay(pollInterval, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Attempts a batch of due events, and returns whether there were any.
   *
   * @throws the driver's error when the database fails; the events are due again after their lease
   */
  private async deliverDue(): Promise<boolean> {
    const { events, wereDue } = await this.outbox.claim();
    const attempts = await Promise.allSettled(events.map((event) => this.attempt(event)));
    for (const attempt of attempts) if (attempt.status === 'rejected') throw attempt.reason;
    this.loggedErrors.clear();
    return wereDue;
  }

  private async attempt(event: ClaimedEvent): Promise<void> {
    const result = await this.receiver.attempt(event);
    await this.outbox.record(event, result);
    this.metrics.attempts.inc({ outcome: result.outcome });
    this.log(event, result);
  }

  /** Logs failures once when they begin and once when they end: while the receiver is down, every event fails. */
  private log({ id, type }: ClaimedEvent, result: AttemptResult): void {
    if (result.outcome === 'dead') {
      this.logger.error(`${result.reason}: event ${id}, ${type}, is dead. It is stored, and can be replayed.`);
    } else if (result.outcome === 'failed') {
      if (!this.isReceiverFailing)
        this.logger.warn(`${result.reason}. Events are stored, and each is retried for three days.`);
      this.isReceiverFailing = true;
    } else {
      if (this.isReceiverFailing) this.logger.log('The receiver accepts events again.');
      this.isReceiverFailing = false;
    }
  }

  private logError({ message }: Error): void {
    if (!this.loggedErrors.has(message))
      this.logger.error(`Events cannot be delivered at the moment, and stay stored: ${message}`);
    this.loggedErrors.add(message);
  }
}
