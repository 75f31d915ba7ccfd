import { Injectable, Logger } from '@nestjs/common';
import { Metrics } from '../metrics.ts';
import { OutboxRepository } from './outbox.repository.ts';
import type { OutboxEvent } from './outbox-event.entity.ts';
import { Receiver } from './receiver.ts';
import { nextDelay } from './retry-schedule.ts';

/** Makes attempts to deliver events, and stores the result of each. */
@Injectable()
export class DeliveryService {
  private readonly logger = new Logger('Outbox');
  private isFailing = false;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly receiver: Receiver,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Makes one attempt to deliver an event that is due; does nothing where another backend was faster.
   *
   * @throws the driver's error when the database cannot be reached; the event then stays due
   */
  async attempt(id: string): Promise<void> {
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
    this.metrics.countAttempt('delivered');
    if (this.isFailing) this.logger.log('The receiver takes events again.');
    this.isFailing = false;
  }

  /** Logs one line when failures begin and one when they end: a receiver that is down fails every event. */
  private async recordFailure({ id }: OutboxEvent, reason: string, delay: number): Promise<void> {
    await this.outbox.recordFailure(id, reason, delay);
    this.metrics.countAttempt('failed');
    if (!this.isFailing) this.logger.warn(`${reason}. Events are stored, and each is retried for three days.`);
    this.isFailing = true;
  }

  private async recordDeath({ id, type }: OutboxEvent, reason: string, logged: string): Promise<void> {
    await this.outbox.recordDeath(id, reason);
    this.metrics.countAttempt('dead');
    this.logger.error(`${logged}: event ${id}, ${type}, is dead. It is stored, and can be replayed.`);
  }
}
