import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Environment } from '../environment.ts';
import { Metrics } from '../metrics/index.ts';
import { LimitsGuard } from './limits.guard.ts';
import { SharedCounts } from './shared-counts.ts';

@Module({ providers: [SharedCounts] })
class LimitsModule {}

/** Applies the limits of the environment to every call. */
export function limitsModule(environment: Environment): DynamicModule {
  const guard = {
    provide: APP_GUARD,
    inject: [SharedCounts, Metrics],
    useFactory: (counts: SharedCounts, metrics: Metrics) => new LimitsGuard(environment, counts, metrics),
  };
  return { module: LimitsModule, providers: [guard] };
}
