import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BackgroundWork } from '../background-work.ts';
import { environmentToken } from '../environment.ts';
import { type RetentionKind, type RetentionSettings, removals, retentionPeriods } from './removals.ts';

const retentionInterval = 60 * 60 * 1000;

/** Removes rows past their retention period, in the background: at startup, and then every hour. */
@Injectable()
export class RetentionService extends BackgroundWork {
  private readonly logger = new Logger('Retention');

  constructor(
    private readonly dataSource: DataSource,
    @Inject(environmentToken) private readonly environment: RetentionSettings,
  ) {
    super();
  }

  protected async run(): Promise<number> {
    await this.removeDue().catch((error: Error) => this.logError('all kinds', error));
    return retentionInterval;
  }

  /** Removes all rows that are due, and returns their number by kind. A failing kind does not affect the others. */
  async removeDue(): Promise<Readonly<Record<RetentionKind, number>>> {
    const counts = { clientInfo: 0, unfinishedEntries: 0, emergencyNotices: 0, privacyRequests: 0, events: 0 };
    const periods = retentionPeriods(this.environment);
    for (const [kind, removeBatch] of removals) {
      try {
        for (let removed = 1; removed > 0 && !this.isStopping; counts[kind] += removed)
          removed = await this.dataSource.transaction((manager) => removeBatch(manager, [periods[kind]]));
      } catch (error) {
        this.logError(kind, error as Error);
      }
    }
    const removed = Object.entries(counts).filter(([, count]) => count > 0);
    if (removed.length > 0)
      this.logger.log(`Removed by retention: ${removed.map((each) => each.join(' ')).join(', ')}.`);
    return counts;
  }

  private logError(kind: string, { message }: Error): void {
    this.logger.error(`Retention failed for ${kind}, and runs again in an hour: ${message}`);
  }
}
