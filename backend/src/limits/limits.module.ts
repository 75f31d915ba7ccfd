import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import type { Environment } from '../environment.ts';
import { Metrics } from '../metrics/index.ts';
import { CountTable } from './count-table.ts';
import { LimitsGuard } from './limits.guard.ts';
import { ProofOfWork } from './proof-of-work.ts';
import { SharedCounts } from './shared-counts.ts';

@Module({ providers: [CountTable, SharedCounts] })
class LimitsModule {}

/** Puts the limits of the environment before every call. */
export function limitsModule(environment: Environment): DynamicModule {
  const guard = {
    provide: APP_GUARD,
    inject: [SharedCounts, CountTable, Metrics, Reflector],
    useFactory: (counts: SharedCounts, table: CountTable, metrics: Metrics, reflector: Reflector) =>
      new LimitsGuard(environment, counts, new ProofOfWork(environment.COOKIE_SECRET, table), metrics, reflector),
  };
  return { module: LimitsModule, providers: [guard] };
}
