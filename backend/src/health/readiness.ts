import { setTimeout as delay } from 'node:timers/promises';
import { Drain } from '@daybook/server';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { missingMigrations } from '../database/index.ts';

/** What was found out about the database holds for this long, in ms, however often it is asked. */
const freshness = 1_000;

/** A database that has not answered after this many ms can't be worked with. */
const answerLimit = 2_000;

/** Whether requests should be sent to this process. */
@Injectable()
export class Readiness {
  private checked = Number.NEGATIVE_INFINITY;
  private problem: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(
    private readonly dataSource: DataSource,
    private readonly drain: Drain,
  ) {}

  /** Why no request should come here, in words for the operator; `undefined` where all is well. */
  async problemOfNow(): Promise<string | undefined> {
    if (this.drain.isDraining) return 'The server is about to stop.';
    const now = performance.now();
    if (now - this.checked >= freshness) {
      this.checked = now;
      this.problem = this.problemOfDatabase();
    }
    return this.problem;
  }

  private async problemOfDatabase(): Promise<string | undefined> {
    const over = new AbortController();
    const late = delay(answerLimit, `The database has not answered within ${answerLimit / 1000} s.`, {
      signal: over.signal,
    }).catch(() => undefined);
    try {
      return await Promise.race([this.problemOfMigrations(), late]);
    } finally {
      over.abort();
    }
  }

  private async problemOfMigrations(): Promise<string | undefined> {
    try {
      const missing = await missingMigrations(this.dataSource);
      return missing.length === 0 ? undefined : `The database lacks migrations: ${missing.join(', ')}.`;
    } catch {
      // The driver's words may name the database's host and user, which are not for everybody.
      return 'The database cannot be reached.';
    }
  }
}
