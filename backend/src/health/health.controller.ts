import { setTimeout as delay } from 'node:timers/promises';
import { Drain, databaseStateOf } from '@daybook/server';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource, QueryFailedError } from 'typeorm';
import { ConnectionPool, missingMigrations } from '../database/index.ts';
import { type Environment, environmentToken } from '../environment.ts';
import { planSignup } from '../waitlist/index.ts';

const timeout = 2_000;

/** SQLSTATE class of what a statement lacks: a table, a column, a unique index, a privilege. */
const lacksSomething = /^42/;

@Controller()
export class HealthController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: ConnectionPool,
    private readonly drain: Drain,
    @Inject(environmentToken) private readonly environment: Pick<Environment, 'VERSION' | 'REVISION'>,
  ) {}

  @Get('healthz')
  healthz() {
    return { status: 'ok' };
  }

  /** Readiness probe: 503 with the reason while this backend should receive no requests. */
  @Get('readyz')
  async readyz(@Res({ passthrough: true }) reply: FastifyReply) {
    const { VERSION: version, REVISION: revision } = this.environment;
    const reason = await this.currentError();
    if (reason === undefined) return { status: 'ready', version, revision };
    void reply.code(503);
    return { status: 'not ready', reason, version, revision };
  }

  private async currentError(): Promise<string | undefined> {
    if (this.drain.isDraining) return 'The server is about to stop.';
    return Promise.race([this.databaseError(), delay(timeout, undefined, { ref: false }).then(() => this.lateError())]);
  }

  /** Calls wait for a database that cannot be reached; the reason is known before they fail. */
  private lateError(): string {
    const state = databaseStateOf(this.pool.error)?.state;
    return `The database ${state ?? `did not respond within ${timeout / 1000} s`}.`;
  }

  /** Returns why a signup would fail in the database. */
  private async databaseError(): Promise<string | undefined> {
    try {
      const missing = await missingMigrations(this.dataSource);
      if (missing.length > 0) return `The database lacks migrations: ${missing.join(', ')}.`;
      const [{ isReadOnly, dateStyle }] = await this.dataSource.query(
        `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly",
          current_setting('DateStyle') AS "dateStyle"`,
      );
      if (isReadOnly) return 'The database is read-only.';
      if (!dateStyle.startsWith('ISO'))
        return `DateStyle is “${dateStyle}”, not ISO: run deploy/postgres/roles.sql for the role of the backend.`;
      await this.dataSource.query(planSignup);
      return undefined;
    } catch (error) {
      if (error instanceof QueryFailedError && lacksSomething.test(error.driverError.code))
        return `A signup would fail: ${error.message}.`;
      // The driver's message may contain the database's host and user, which must not be public.
      return `The database ${databaseStateOf(error)?.state ?? 'cannot be reached'}.`;
    }
  }
}
