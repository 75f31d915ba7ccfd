import { makePrivacyRequest, type PrivacyRequest, type PrivacyRequestAnswer } from '@daybook/contract';
import { Body, Controller, Headers } from '@nestjs/common';
import { Handles } from '../http/index.ts';
import { PrivacyRequestsService } from './privacy-requests.service.ts';

@Controller()
export class PrivacyRequestsController {
  constructor(private readonly requests: PrivacyRequestsService) {}

  /**
   * Records what a privacy page of the product document's section 2 was filled in with. The answer is the same for a
   * known and an unknown address.
   */
  @Handles(makePrivacyRequest)
  makePrivacyRequest(
    @Body({ schema: makePrivacyRequest.body }) request: PrivacyRequest,
    @Headers('sec-gpc') globalPrivacyControl: string | undefined,
  ): Promise<PrivacyRequestAnswer> {
    return this.requests.record(request, globalPrivacyControl === '1');
  }
}
