import { Drain } from '@daybook/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { HealthController } from './health.controller.ts';
import { Readiness } from './readiness.ts';

@Module({ controllers: [HealthController], providers: [Readiness] })
class HealthModule {}

/** `/healthz` and `/readyz`. */
export function healthModule(drain: Drain): DynamicModule {
  return { module: HealthModule, providers: [{ provide: Drain, useValue: drain }] };
}
