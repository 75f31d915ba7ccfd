import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { RetentionService } from './retention.service.ts';

/** Intervals between two runs, in ms: normally, and after a run that failed or partly failed. */
export const retentionInterval = 24 * 60 * 60 * 1000;
export const retentionRetryDelay = 5 * 60 * 1000;

/** Applies retention after startup and then once a day, in the background. */
@Injectable()
export class RetentionSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Retention');
  private readonly stop = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** Resolves when the run in progress, if any, has ended. */
  run = Promise.resolve();

  constructor(private readonly retention: RetentionService) {}

  onApplicationBootstrap(): void {
    this.run = this.removeDue();
  }

  /** Waits for the transaction in progress: after this hook, the connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    clearTimeout(this.timer);
    await this.run;
  }

  private async removeDue(): Promise<void> {
    const { counts, errors } = await this.retention.removeDue(new Date(), this.stop.signal);
    const removed = Object.entries(counts).filter(([, count]) => count > 0);
    if (removed.length > 0)
      this.logger.log(`Removed by retention: ${removed.map(([kind, count]) => `${kind} ${count}`).join(', ')}.`);
    const failures = Object.entries(errors).map(([kind, { message }]) => `${kind} (${message})`);
    if (failures.length > 0) this.logger.error(`Retention failed for ${failures.join(', ')}. Retrying in 5 minutes.`);
    if (this.stop.signal.aborted) return;
    const delay = failures.length > 0 ? retentionRetryDelay : retentionInterval;
    this.timer = setTimeout(() => {
      this.run = this.removeDue();
    }, delay).unref();
  }
}

@Module({ providers: [RetentionSchedule, RetentionService] })
export class RetentionModule {}
