import { Drain } from '@daybook/server';
import type { DynamicModule } from '@nestjs/common';
import { databaseConnection } from './database/index.ts';
import { EmergencyNoticeController } from './emergency-notice/emergency-notice.controller.ts';
import { EmergencyNoticeService } from './emergency-notice/emergency-notice.service.ts';
import { entities } from './entities.ts';
import { type Environment, environmentToken } from './environment.ts';
import { HealthController } from './health/health.controller.ts';
import { Metrics } from './metrics.ts';
import { DeliveryWorker } from './outbox/delivery.worker.ts';
import { OutboxRepository } from './outbox/index.ts';
import { PrivacyRequestsController } from './privacy-requests/privacy-requests.controller.ts';
import { PrivacyRequestsService } from './privacy-requests/privacy-requests.service.ts';
import { RetentionService } from './retention/retention.service.ts';
import { WaitlistController } from './waitlist/waitlist.controller.ts';
import { WaitlistService } from './waitlist/waitlist.service.ts';

class AppModule {}

/**
 * Returns the application's only module, connected to the database of the environment.
 *
 * Serves the call of the privacy pages only with `PRIVACY_REQUESTS=record`. Otherwise anyone could unsubscribe addresses
 * on a site whose operator never checks the requests.
 */
export function appModule(environment: Environment, drain: Drain): DynamicModule {
  return {
    module: AppModule,
    imports: [databaseConnection(environment, entities)],
    controllers: [
      HealthController,
      WaitlistController,
      EmergencyNoticeController,
      ...(environment.PRIVACY_REQUESTS === 'record' ? [PrivacyRequestsController] : []),
    ],
    providers: [
      { provide: environmentToken, useValue: environment },
      { provide: Drain, useValue: drain },
      Metrics,
      WaitlistService,
      EmergencyNoticeService,
      PrivacyRequestsService,
      OutboxRepository,
      DeliveryWorker,
      RetentionService,
    ],
  };
}
