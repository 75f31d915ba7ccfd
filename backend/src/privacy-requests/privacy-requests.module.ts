import { makePrivacyRequest, type PrivacyRequestResponse, type PrivacyRequest as Request } from '@daybook/contract/api';
import { Body, Controller, type DynamicModule, Headers, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, IsNull, LessThan } from 'typeorm';
import type { Environment } from '../environment.ts';
import { Handles } from '../http/index.ts';
import { Metrics } from '../metrics.ts';
import { PrivacyRequest } from './privacy-request.entity.ts';
import { PrivacyRequestsService } from './privacy-requests.service.ts';

@Controller()
class PrivacyRequestsController {
  constructor(private readonly requests: PrivacyRequestsService) {}

  /**
   * Records a request from a privacy page (docs/product.md, Privacy choices). The response is the same for a known and
   * an unknown address.
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
