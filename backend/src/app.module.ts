import type { Drain } from '@daybook/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { databaseConnection } from './database/index.ts';
import { EmergencyNoticeModule } from './emergency-notice.module.ts';
import type { Environment } from './environment.ts';
import { healthModule } from './health.module.ts';
import { limitsModule } from './limits/limits.guard.ts';
import { MetricsModule } from './metrics.ts';
import { outboxModule } from './outbox/index.ts';
import { privacyRequestsModule } from './privacy-requests/index.ts';
import { retentionModule } from './retention/retention.module.ts';
import { WaitlistModule } from './waitlist/index.ts';

@Module({ imports: [MetricsModule, WaitlistModule, EmergencyNoticeModule] })
class AppModule {}

/** Returns the module with all features, connected to the database of the environment. */
export function appModule(environment: Environment, drain: Drain): DynamicModule {
  const imports = [
    databaseConnection(environment),
    healthModule(drain),
    outboxModule(environment),
    limitsModule(environment),
    privacyRequestsModule(environment),
    retentionModule(environment),
  ];
  return { module: AppModule, imports };
}
