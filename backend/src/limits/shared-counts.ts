import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { CountTable } from './count-table.ts';
import { SlidingCounts, windowLength } from './sliding-counts.ts';

/** How often what was counted here is added to the shared table, in ms. */
export const reconcileInterval = 250;

/** Keys in one statement. */
const mostKeysAtOnce = 2_000;

/** Counts are kept for this many minutes before the present one: a window reaches into one of them. */
const minutesKept = 3;

type StorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Counts in memory, so that no request waits for it, and adds up with the other replicas four times a second. They
 * let through more than the limit by what arrives at the others between two of those times. While the database can't
 * be reached, each counts on alone.
 */
@Injectable()
export class SharedCounts implements ThrottlerStorage, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Limits');
  private readonly counts = new SlidingCounts();
  private timer: NodeJS.Timeout | undefined;
  private run: Promise<void> | undefined;
  private isReachable = true;
  private forgottenBefore = 0;

  constructor(private readonly table: CountTable) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.reconcile(), reconcileInterval).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.reconcile();
  }

  /** The window is a minute, whatever `ttl` says; times are in seconds, as the guard tells them to the client. */
  async increment(key: string, _ttl: number, limit: number): Promise<StorageRecord> {
    const { allowed, total, wait } = this.counts.add(key, limit);
    const seconds = Math.ceil(wait / 1000);
    return { totalHits: total, timeToExpire: seconds, isBlocked: !allowed, timeToBlockExpire: seconds };
  }

  /** Adds up with the other replicas; waits for the turn that is under way, where there is one. */
  reconcile(): Promise<void> {
    this.run ??= this.exchange().finally(() => {
      this.run = undefined;
    });
    return this.run;
  }

  private async exchange(): Promise<void> {
    const report = this.counts.takeReport(mostKeysAtOnce);
    // Also while nobody comes: the Privacy Policy says that counts are not kept.
    if (report.length === 0) return this.forgetOld();
    try {
      this.counts.learn(await this.table.add(report));
      this.isReachable = true;
    } catch (error) {
      this.counts.putBack(report);
      // Told once, not four times a second.
      if (this.isReachable) this.warn('Limits are counted by this backend alone for the moment', error);
      this.isReachable = false;
      return;
    }
    await this.forgetOld();
  }

  private async forgetOld(): Promise<void> {
    const oldest = Math.floor(Date.now() / windowLength) - minutesKept;
    if (oldest <= this.forgottenBefore) return;
    this.forgottenBefore = oldest;
    try {
      await this.table.forgetBefore(oldest);
    } catch (error) {
      this.warn('Old counts could not be removed; the next minute will try again', error);
    }
  }

  private warn(what: string, error: unknown): void {
    this.logger.warn(`${what}: ${(error as Error).message}`);
  }
}
