import { setTimeout as delay } from 'node:timers/promises';
import { Drain } from '@daybook/server';
import { Controller, type DynamicModule, Get, Module, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { missingMigrations } from './database/index.ts';

/** A database that has not answered after this many ms can't be worked with. */
const timeout = 2_000;

/** `/healthz` and `/readyz`. */
@Controller()
export class HealthController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly drain: Drain,
  ) {}

  /** Whether this process is alive; it says nothing about the database. */
  @Get('healthz')
  healthz() {
    return { status: 'ok' };
  }

  /** Whether requests should be sent here; 503 with the reason where not. */
  @Get('readyz')
  async readyz(@Res({ passthrough: true }) reply: FastifyReply) {
    const reason = await this.currentError();
    if (reason === undefined) return { status: 'ready' };
    void reply.code(503);
    return { status: 'not ready', reason };
  }

  /** Returns why no request should come here, in words for the operator; `undefined` where all is well. */
  async currentError(): Promise<string | undefined> {
    if (this.drain.isDraining) return 'The server is about to stop.';
    const late = `The database has not answered within ${timeout / 1000} s.`;
    return Promise.race([this.migrationError(), delay(timeout, late, { ref: false })]);
  }

  private async migrationError(): Promise<string | undefined> {
    try {
      const missing = await missingMigrations(this.dataSource);
      return missing.length === 0 ? undefined : `The database lacks migrations: ${missing.join(', ')}.`;
    } catch {
      // The driver's words may name the database's host and user, which are not for everybody.
      return 'The database cannot be reached.';
    }
  }
}

@Module({ controllers: [HealthController] })
class HealthModule {}

export const healthModule = (drain: Drain): DynamicModule => ({
  module: HealthModule,
  providers: [{ provide: Drain, useValue: drain }],
});
