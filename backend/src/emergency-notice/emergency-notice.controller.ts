import { type Acknowledgement, type EmergencyNotice, waitlistCalls } from '@daybook/contract';
import { Body, Controller } from '@nestjs/common';
import { Handles } from '../http/index.ts';
import { EmergencyNoticeService } from './emergency-notice.service.ts';

const { sendEmergencyNotice } = waitlistCalls;

@Controller()
export class EmergencyNoticeController {
  constructor(private readonly notices: EmergencyNoticeService) {}

  /**
   * Takes notice of an address whose entry could not be found (product document, sections 4 and 7). The answer is
   * the same for every address, and for a notice that repeats one of the same day.
   */
  @Handles(sendEmergencyNotice)
  async sendEmergencyNotice(
    @Body({ schema: sendEmergencyNotice.body }) notice: EmergencyNotice,
  ): Promise<Acknowledgement> {
    await this.notices.record(notice);
    return { success: true };
  }
}
