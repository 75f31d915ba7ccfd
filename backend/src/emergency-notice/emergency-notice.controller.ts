import { type EmergencyNotice, waitlistCalls } from '@daybook/contract/api';
import { Body, Controller } from '@nestjs/common';
import { Handles } from '../http/index.ts';
import { EmergencyNoticeRepository } from './emergency-notice.repository.ts';

const { sendEmergencyNotice } = waitlistCalls;

@Controller()
export class EmergencyNoticeController {
  constructor(private readonly notices: EmergencyNoticeRepository) {}

  /**
   * Records an email whose entry could not be found (docs/product.md, Completion and Calls). Idempotent per
   * email and day; the response is the same for every email.
   */
  @Handles(sendEmergencyNotice, {
    network: 'LIMIT_NETWORK_SIGNUPS',
    email: 'LIMIT_ADDRESS_SIGNUPS',
    total: 'LIMIT_GLOBAL_SIGNUPS',
  })
  async sendEmergencyNotice(@Body({ schema: sendEmergencyNotice.body }) notice: EmergencyNotice) {
    await this.notices.store(notice);
    return { success: true } as const;
  }
}
