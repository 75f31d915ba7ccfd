import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Environment } from '../environment.ts';
import { RetentionService } from './retention.service.ts';
import { retentionPeriods } from './retention-periods.ts';
import { RetentionSchedule } from './retention-schedule.ts';

@Module({ providers: [RetentionSchedule] })
class RetentionModule {}

/** Removes what has been kept as long as the Privacy Policy says. */
export function retentionModule(environment: Environment): DynamicModule {
  const service = {
    provide: RetentionService,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new RetentionService(dataSource, retentionPeriods(environment)),
  };
  return { module: RetentionModule, providers: [service] };
}
