import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Environment } from '../environment.ts';
import { PrivacyRequest } from './privacy-request.entity.ts';
import { PrivacyRequestRepository } from './privacy-request.repository.ts';
import { PrivacyRequestsController } from './privacy-requests.controller.ts';
import { PrivacyRequestsService } from './privacy-requests.service.ts';

@Module({
  imports: [TypeOrmModule.forFeature([PrivacyRequest])],
  providers: [PrivacyRequestRepository, PrivacyRequestsService],
})
class PrivacyRequestsModule {}

/**
 * What was recorded can always be read; the call that records is there only where the operator asked for it. Otherwise
 * anybody could have addresses unsubscribed on a site whose operator looks at no requests.
 */
export function privacyRequestsModule({ PRIVACY_REQUESTS }: Environment): DynamicModule {
  const controllers = PRIVACY_REQUESTS === 'record' ? [PrivacyRequestsController] : [];
  return { module: PrivacyRequestsModule, controllers };
}
