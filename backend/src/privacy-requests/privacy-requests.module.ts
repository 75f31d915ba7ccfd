import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, IsNull, LessThan } from 'typeorm';
import type { Environment } from '../environment.ts';
import { Metrics } from '../metrics.ts';
import { PrivacyRequest } from './privacy-request.entity.ts';
import { PrivacyRequestsController } from './privacy-requests.controller.ts';
import { PrivacyRequestsService } from './privacy-requests.service.ts';

@Module({ imports: [TypeOrmModule.forFeature([PrivacyRequest])], providers: [PrivacyRequestsService] })
class PrivacyRequestsModule {
  constructor(metrics: Metrics, { manager }: DataSource) {
    metrics.watchPrivacyRequests(() =>
      manager.countBy(PrivacyRequest, { doneAt: IsNull(), dueAt: LessThan(new Date()) }),
    );
  }
}

/**
 * Serves the call only with `PRIVACY_REQUESTS=record`. Otherwise anyone could unsubscribe addresses on a site whose
 * operator never checks the requests.
 */
export function privacyRequestsModule({ PRIVACY_REQUESTS }: Environment): DynamicModule {
  const controllers = PRIVACY_REQUESTS === 'record' ? [PrivacyRequestsController] : [];
  return { module: PrivacyRequestsModule, controllers };
}
