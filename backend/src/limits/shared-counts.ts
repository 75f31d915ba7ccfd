import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type SharedCount, SlidingCounts, windowLength } from './sliding-counts.ts';

/** Interval in ms at which new counts are added to the shared table. */
const reconcileInterval = 250;

/** Past minutes that stay in the table; a window reaches into one of them. */
const retainedMinutes = 3;

/** One statement instead of two saves a round trip. Ordered rows avoid deadlocks between backends. */
const addCounts = `
  WITH counted AS (
    INSERT INTO request_count AS known (minute, key, count)
    SELECT * FROM unnest($1::integer[], $2::text[], $3::integer[]) ORDER BY 1, 2
    ON CONFLICT (minute, key) DO UPDATE SET count = known.count + excluded.count
    RETURNING minute, key, count
  )
  SELECT counted.minute, counted.key, counted.count, COALESCE(earlier.count, 0) AS before
  FROM counted LEFT JOIN request_count earlier ON earlier.minute = counted.minute - 1 AND earlier.key = counted.key
`;

/**
 * Counts in memory, so that no request waits for the database, and exchanges counts with the other backends four times
 * a second. The cost: together, they can exceed a limit by the requests of one interval. While the database is
 * unreachable, each backend counts alone.
 */
@Injectable()
export class SharedCounts extends SlidingCounts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Limits');
  private timer: NodeJS.Timeout | undefined;
  private run: Promise<void> | undefined;
  private isReachable = true;
  private cleanedUntil = 0;

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.reconcile(), reconcileInterval).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.run;
    await this.reconcile();
  }

  private reconcile(): Promise<void> {
    this.run ??= this.exchange().finally(() => {
      this.run = undefined;
    });
    return this.run;
  }

  private async exchange(): Promise<void> {
    try {
      const report = this.report();
      const columns = (['minute', 'key', 'count'] as const).map((name) => report.map((row) => row[name]));
      if (report.length > 0) this.learn(await this.dataSource.query<SharedCount[]>(addCounts, columns));
      await this.deleteOld();
      this.isReachable = true;
    } catch (error) {
      // Logged once per outage, not four times a second.
      if (this.isReachable) this.logger.warn(`Limits are counted by this backend alone: ${(error as Error).message}`);
      this.isReachable = false;
    }
  }

  /** Runs without traffic too: the Privacy Policy promises that counts are not retained. */
  private async deleteOld(): Promise<void> {
    const oldest = Math.floor(Date.now() / windowLength) - retainedMinutes;
    if (oldest <= this.cleanedUntil) return;
    await this.dataSource.query('DELETE FROM request_count WHERE minute < $1', [oldest]);
    this.cleanedUntil = oldest;
  }
}
