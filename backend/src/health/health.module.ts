import { Drain } from '@daybook/server';
import { Controller, type DynamicModule, Get, Module, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readiness } from './readiness.ts';

type ReadinessAnswer = { readonly status: 'ready' } | { readonly status: 'not ready'; readonly reason: string };

@Controller()
class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Whether this process is alive; it says nothing about the database. */
  @Get('healthz')
  healthz(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  /** Whether requests should be sent here; 503 with the reason where not. */
  @Get('readyz')
  async readyz(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessAnswer> {
    const reason = await this.readiness.currentProblem();
    if (reason === undefined) return { status: 'ready' };
    void reply.code(503);
    return { status: 'not ready', reason };
  }
}

@Module({ controllers: [HealthController], providers: [Readiness] })
class HealthModule {}

/** `/healthz` and `/readyz`. */
export function healthModule(drain: Drain): DynamicModule {
  return { module: HealthModule, providers: [{ provide: Drain, useValue: drain }] };
}
