import { makePrivacyRequest, type PrivacyRequest as Request } from '@daybook/contract/api';
import { Body, Controller, Headers } from '@nestjs/common';
import { Handles } from '../http/index.ts';
import { PrivacyRequestsService } from './privacy-requests.service.ts';

@Controller()
export class PrivacyRequestsController {
  constructor(private readonly requests: PrivacyRequestsService) {}

  // Those of an email are counted where they are stored: for a day, and by all backends.
  @Handles(makePrivacyRequest, { network: 'LIMIT_NETWORK_PRIVACY_REQUESTS', total: 'LIMIT_GLOBAL_SIGNUPS' })
  makePrivacyRequest(@Body() request: Request, @Headers('sec-gpc') globalPrivacyControl: string | undefined) {
    return this.requests.record(request, globalPrivacyControl === '1');
  }
}
