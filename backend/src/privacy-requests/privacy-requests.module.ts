import { makePrivacyRequest, type PrivacyRequestResponse, type PrivacyRequest as Request } from '@daybook/contract';
import { Body, Controller, type DynamicModule, Headers, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Environment } from '../environment.ts';
import { Handles } from '../http/index.ts';
import { PrivacyRequest } from './privacy-request.entity.ts';
import { PrivacyRequestsService } from './privacy-requests.service.ts';

@Controller()
class PrivacyRequestsController {
  constructor(private readonly requests: PrivacyRequestsService) {}

  /**
   * Records what a privacy page of docs/product.md, Pages was filled in with. The response is the same for a
   * known and an unknown address.
   */
  @Handles(makePrivacyRequest)
  makePrivacyRequest(
    @Body({ schema: makePrivacyRequest.body }) request: Request,
    @Headers('sec-gpc') globalPrivacyControl: string | undefined,
  ): Promise<PrivacyRequestResponse> {
    return this.requests.record(request, globalPrivacyControl === '1');
  }
}

@Module({ imports: [TypeOrmModule.forFeature([PrivacyRequest])], providers: [PrivacyRequestsService] })
class PrivacyRequestsModule {}

/**
 * The call that records requests is there only where the operator asked for it. Otherwise anybody could have addresses
 * unsubscribed on a site whose operator looks at no requests.
 */
export function privacyRequestsModule({ PRIVACY_REQUESTS }: Environment): DynamicModule {
  const controllers = PRIVACY_REQUESTS === 'record' ? [PrivacyRequestsController] : [];
  return { module: PrivacyRequestsModule, controllers };
}
