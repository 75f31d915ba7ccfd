import { Inject, Injectable, Logger } from '@nestjs/common';
import { BackgroundWork } from '../background-work.ts';
import { type Environment, environmentToken } from '../environment.ts';
import { Metrics } from '../metrics/index.ts';
import { OutboxRepository } from './outbox.repository.ts';
import type { ClaimedEvent } from './outbox-event.entity.ts';
import { Receiver } from './receiver.ts';

/** Interval in ms at which the outbox is polled while no event is due. */
const pollInterval = 1_000;

/** Delivers due events. Any number of workers share the outbox, and each may be killed at any time. */
@Injectable()
export class DeliveryWorker extends BackgroundWork {
  private readonly logger = new Logger('Outbox');
  private readonly receiver: Receiver;
  private failing: 'receiver' | 'database' | undefined;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly metrics: Metrics,
    @Inject(environmentToken) private readonly environment: Pick<Environment, 'WEBHOOK_URL' | 'WEBHOOK_SECRET'>,
  ) {
    super();
    const { WEBHOOK_URL = '', WEBHOOK_SECRET = [] } = environment;
    this.receiver = new Receiver(WEBHOOK_URL, WEBHOOK_SECRET);
    const what = 'in the outbox that are neither delivered nor dead';
    metrics.addGauge('daybook_outbox_depth', `Events ${what}`, async () => (await outbox.state()).depth);
    metrics.addGauge(
      'daybook_outbox_oldest_age_seconds',
      `Age of the oldest of the events ${what}`,
      async () => (await outbox.state()).oldestAge,
    );
  }

  /** Without `WEBHOOK_URL`, events wait until there is one, and no metric makes an alert expect a delivery. */
  override onApplicationBootstrap(): void {
    if (!this.environment.WEBHOOK_URL) return;
    for (const outcome of ['delivered', 'failed', 'dead']) this.metrics.attempts.inc({ outcome }, 0);
    super.onApplicationBootstrap();
  }

  protected async run(): Promise<number> {
    const count = await this.deliverDue().catch(({ message }: Error) => this.report('database', message));
    return count ? 0 : pollInterval;
  }

  private async deliverDue(): Promise<number> {
    const events = await this.outbox.claim();
    const attempts = await Promise.allSettled(events.map((event) => this.attempt(event)));
    for (const attempt of attempts) if (attempt.status === 'rejected') throw attempt.reason;
    if (this.failing === 'database') this.report(undefined, 'The outbox works again');
    return events.length;
  }

  private async attempt(event: ClaimedEvent): Promise<void> {
    const result = await this.receiver.attempt(event);
    const { status, reason = '' } = result;
    await this.outbox.record(event, result);
    this.metrics.attempts.inc({ outcome: status === 'pending' ? 'failed' : status });
    if (status === 'delivered') this.report(undefined, 'The receiver accepts events again');
    else if (status === 'pending') this.report('receiver', reason);
    else this.logger.error(`${reason}: event ${event.id}, ${event.type}, is dead. It is stored, and can be replayed.`);
  }

  /** Logs a failure when it begins and when it ends: meanwhile, every poll or attempt fails. */
  private report(failing: typeof this.failing, message: string): void {
    if (failing !== this.failing) {
      if (failing) this.logger.warn(`${message}. Events are stored until delivery.`);
      else this.logger.log(`${message}.`);
    }
    this.failing = failing;
  }
}
