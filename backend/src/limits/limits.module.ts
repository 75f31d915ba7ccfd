import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import type { Environment } from '../environment.ts';
import { CountTable } from './count-table.ts';
import { LimitsGuard } from './limits.guard.ts';
import { SharedCounts } from './shared-counts.ts';

@Module({ providers: [CountTable, SharedCounts] })
class LimitsModule {}

/** Puts the limits of the environment before every call. */
export function limitsModule(environment: Environment): DynamicModule {
  const guard = {
    provide: APP_GUARD,
    inject: [SharedCounts, Reflector],
    useFactory: (counts: SharedCounts, reflector: Reflector) => new LimitsGuard(environment, counts, reflector),
  };
  return { module: LimitsModule, providers: [guard] };
}
