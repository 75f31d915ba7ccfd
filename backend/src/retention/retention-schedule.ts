import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { withoutAddresses } from '../http/index.ts';
import { RetentionService } from './retention.service.ts';

/** A day, in ms. */
export const retentionInterval = 24 * 60 * 60 * 1000;

/**
 * Removes what is due once the backend has started, and every day from then on. A run that fails is told in the log
 * and left to the next one; no request waits for any of them.
 */
@Injectable()
export class RetentionSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Retention');
  private readonly stop = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private run = Promise.resolve();

  constructor(private readonly retention: RetentionService) {}

  onApplicationBootstrap(): void {
    this.start();
    this.timer = setInterval(() => this.start(), retentionInterval).unref();
  }

  /** The transaction under way is waited for: after this hook the connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stop.abort();
    await this.run;
  }

  private start(): void {
    this.run = this.run.then(() => this.removeDue());
  }

  private async removeDue(): Promise<void> {
    try {
      const counts = await this.retention.removeDue(new Date(), this.stop.signal);
      if (Object.values(counts).some((count) => count > 0)) {
        console.info(
          `Retention: client details forgotten: ${counts.clientInfo}, ` +
            `unfinished registrations removed: ${counts.unfinishedEntries}, ` +
            `emergency notices removed: ${counts.emergencyNotices}, ` +
            `privacy requests removed: ${counts.privacyRequests}, ` +
            `events removed: ${counts.events}.`,
        );
      }
    } catch (error) {
      const { message } = error as Error;
      this.logger.error(withoutAddresses(`What is due could not be removed; the next run will try again: ${message}`));
    }
  }
}
