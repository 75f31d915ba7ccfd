import { Injectable, Logger } from '@nestjs/common';
import { Metrics } from '../metrics/index.ts';
import { type DueEvent, OutboxRepository } from './outbox.repository.ts';
import { type Outcome, Receiver } from './receiver.ts';
import { nextDelay } from './retry-schedule.ts';

/** Makes attempts to deliver events, and keeps what became of each. */
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
   * Makes one attempt to deliver an event that is due; does nothing where it is not, for somebody was faster.
   *
   * @throws the driver's error when the database cannot be reached; the event then stays due
   */
  async attempt(id: string): Promise<void> {
    const event = await this.outbox.findDue(id);
    if (event) await this.record(event, await this.receiver.send(event));
  }

  private async record(event: DueEvent, outcome: Outcome): Promise<void> {
    switch (outcome.kind) {
      case 'delivered':
        await this.outbox.recordDelivery(event.id);
        return this.tellDelivery();
      case 'gone':
        await this.outbox.recordDeath(event.id, outcome.reason);
        return this.tellDeath(event, outcome.reason);
      case 'failed': {
        const delay = nextDelay(
          { ...event, attempts: event.attempts + 1, retryAfter: outcome.retryAfter },
          Math.random(),
        );
        if (delay === undefined) {
          await this.outbox.recordDeath(event.id, outcome.reason);
          return this.tellDeath(event, `${outcome.reason}, for three days`);
        }
        await this.outbox.recordFailure(event.id, outcome.reason, delay);
        return this.tellFailure(outcome.reason);
      }
    }
  }

  /** One line when it begins to fail and one when that is over: a receiver that is down fails every event. */
  private tellFailure(reason: string): void {
    this.metrics.countAttempt('failed');
    if (!this.isFailing) this.logger.warn(`${reason}. Events are kept, and each is tried again for three days.`);
    this.isFailing = true;
  }

  private tellDelivery(): void {
    this.metrics.countAttempt('delivered');
    if (this.isFailing) this.logger.log('The receiver takes events again.');
    this.isFailing = false;
  }

  private tellDeath({ id, type }: DueEvent, reason: string): void {
    this.metrics.countAttempt('dead');
    this.logger.error(`${reason}: event ${id}, ${type}, is dead. It is kept, and can be replayed.`);
  }
}
