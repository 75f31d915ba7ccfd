import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../environment.ts';
import { MetricsModule } from '../metrics/index.ts';
import { OutboxModule } from '../outbox/index.ts';
import { PrivacyRequestsController } from './privacy-requests.controller.ts';
import { PrivacyRequestsService } from './privacy-requests.service.ts';

@Module({ imports: [MetricsModule, OutboxModule], providers: [PrivacyRequestsService] })
export class PrivacyRequestsModule {
  /**
   * Serves the call of the privacy pages only with `PRIVACY_REQUESTS=record`. Otherwise anyone could unsubscribe emails
   * on a site whose operator never checks the requests.
   */
  static forRoot({ PRIVACY_REQUESTS }: Pick<Environment, 'PRIVACY_REQUESTS'>): DynamicModule {
    return {
      module: PrivacyRequestsModule,
      controllers: PRIVACY_REQUESTS === 'record' ? [PrivacyRequestsController] : [],
    };
  }
}
