import { Drain } from '@daybook/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from './database/index.ts';
import { entities } from './entities.ts';
import { type Environment, environmentToken } from './environment.ts';
import { HealthController } from './health/health.controller.ts';
import { HttpModule } from './http/index.ts';
import { MetricsModule } from './metrics/index.ts';
import { DeliveryWorker, OutboxRepository } from './outbox/index.ts';
import { PrivacyRequestsController, PrivacyRequestsService } from './privacy-requests/index.ts';
import { RetentionService } from './retention/retention.service.ts';
import { WaitlistController, WaitlistService } from './waitlist/index.ts';

@Module({})
export class AppModule {
  static forRoot(environment: Environment, drain: Drain): DynamicModule {
    const shared = [
      { provide: environmentToken, useValue: environment },
      { provide: Drain, useValue: drain },
    ];
    const features = [WaitlistService, PrivacyRequestsService, OutboxRepository, DeliveryWorker, RetentionService];
    // Otherwise anyone could unsubscribe emails on a site whose operator never checks the requests.
    const recording = environment.PRIVACY_REQUESTS === 'record' ? [PrivacyRequestsController] : [];
    return {
      module: AppModule,
      global: true,
      imports: [DatabaseModule.forRoot(environment, entities), HttpModule, MetricsModule],
      controllers: [HealthController, WaitlistController, ...recording],
      providers: [...shared, ...features],
      exports: shared,
    };
  }
}
