import { setTimeout as delay } from 'node:timers/promises';
import { Drain } from '@daybook/server';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { missingMigrations } from '../database/index.ts';

/** A database that has not answered after this many ms can't be worked with. */
const timeout = 2_000;

/** Whether requests should be sent to this process. */
@Injectable()
export class Readiness {
  constructor(
    private readonly dataSource: DataSource,
    private readonly drain: Drain,
  ) {}

  /** Returns why no request should come here, in words for the operator; `undefined` where all is well. */
  async currentProblem(): Promise<string | undefined> {
    if (this.drain.isDraining) return 'The server is about to stop.';
    const late = `The database has not answered within ${timeout / 1000} s.`;
    return Promise.race([this.problemOfMigrations(), delay(timeout, late, { ref: false })]);
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
