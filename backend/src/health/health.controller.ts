import { setTimeout as delay } from 'node:timers/promises';
import { Drain } from '@daybook/server';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { missingMigrations } from '../database/index.ts';

/** Timeout of the readiness check, in ms. */
const timeout = 2_000;

/** `/healthz` and `/readyz`. */
@Controller()
export class HealthController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly drain: Drain,
  ) {}

  /** Liveness: does not depend on the database. */
  @Get('healthz')
  healthz() {
    return { status: 'ok' };
  }

  /** Readiness probe: 503 with the reason while this backend should receive no requests. */
  @Get('readyz')
  async readyz(@Res({ passthrough: true }) reply: FastifyReply) {
    const reason = await this.currentError();
    if (reason === undefined) return { status: 'ready' };
    void reply.code(503);
    return { status: 'not ready', reason };
  }

  /** Returns the reason why this backend is not ready, for the operator; `undefined` if it is ready. */
  async currentError(): Promise<string | undefined> {
    if (this.drain.isDraining) return 'The server is about to stop.';
    const late = `The database did not respond within ${timeout / 1000} s.`;
    return Promise.race([this.migrationError(), delay(timeout, late, { ref: false })]);
  }

  private async migrationError(): Promise<string | undefined> {
    try {
      const missing = await missingMigrations(this.dataSource);
      return missing.length === 0 ? undefined : `The database lacks migrations: ${missing.join(', ')}.`;
    } catch {
      // The driver's message may contain the database's host and user, which must not be public.
      return 'The database cannot be reached.';
    }
  }
}
