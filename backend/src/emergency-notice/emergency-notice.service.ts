import type { EmergencyNotice as Notice } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { EmergencyNotice } from './emergency-notice.entity.ts';

@Injectable()
export class EmergencyNoticeService {
  constructor(@InjectRepository(EmergencyNotice) private readonly notices: Repository<EmergencyNotice>) {}

  /** Keeps the first notice of an address and UTC day; a unique index drops the others, however they race. */
  async record({ email, source, timestamp }: Notice): Promise<void> {
    const notice = { email, source, clientTimestamp: new Date(timestamp) };
    await this.notices.createQueryBuilder().insert().values(notice).orIgnore().execute();
  }
}
