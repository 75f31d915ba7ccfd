import { type EmergencyNotice, waitlistCalls } from '@daybook/contract/api';
import { Body, Controller } from '@nestjs/common';
import { Handles } from '../http/index.ts';
import { EmergencyNoticeService } from './emergency-notice.service.ts';

const { sendEmergencyNotice } = waitlistCalls;

@Controller()
export class EmergencyNoticeController {
  constructor(private readonly notices: EmergencyNoticeService) {}

  /**
   * Records an address whose entry could not be found (docs/product.md, Completion and Calls). Idempotent per address and
   * day; the response is the same for every address.
   */
  @Handles(sendEmergencyNotice)
  async sendEmergencyNotice(@Body({ schema: sendEmergencyNotice.body }) notice: EmergencyNotice) {
    await this.notices.record(notice);
    return { success: true } as const;
  }
}
