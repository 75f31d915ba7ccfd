import { Drain } from '@daybook/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { databaseConnection } from './database/index.ts';
import { EmergencyNoticeModule } from './emergency-notice/index.ts';
import { type Environment, environmentToken } from './environment.ts';
import { HealthController } from './health/health.controller.ts';
import { Metrics } from './metrics.ts';
import { OutboxModule } from './outbox/index.ts';
import { privacyRequestsModule } from './privacy-requests/index.ts';
import { RetentionService } from './retention/retention.service.ts';
import { WaitlistModule } from './waitlist/index.ts';

@Module({
  imports: [WaitlistModule, EmergencyNoticeModule, OutboxModule],
  controllers: [HealthController],
  providers: [RetentionService],
})
class AppModule {}

/** Returns the module with all features, connected to the database of the environment. */
export function appModule(environment: Environment, drain: Drain): DynamicModule {
  const imports = [databaseConnection(environment), privacyRequestsModule(environment)];
  const shared = [{ provide: environmentToken, useValue: environment }, { provide: Drain, useValue: drain }, Metrics];
  // Global, so that every feature can use what is shared without importing it.
  return { module: AppModule, global: true, imports, providers: shared, exports: shared };
}
