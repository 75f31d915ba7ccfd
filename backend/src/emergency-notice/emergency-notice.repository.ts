import type { EmergencyNotice as Notice } from '@daybook/contract/api';
import type { EventData } from '@daybook/contract/events';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OutboxEvent } from '../outbox/index.ts';
import { EmergencyNotice } from './emergency-notice.entity.ts';

@Injectable()
export class EmergencyNoticeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores the first notice per address and UTC day, and its event. A unique index drops repeats. */
  async store({ email, source, timestamp }: Notice): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { raw } = await manager
        .createQueryBuilder()
        .insert()
        .into(EmergencyNotice)
        .values({ email, source, clientTimestamp: new Date(timestamp) })
        .orIgnore()
        .returning('received_at')
        .execute();
      const [stored] = raw as { readonly received_at: Date }[];
      if (!stored) return;
      const data: EventData<'signup.emergency'> = { email, source, receivedAt: stored.received_at.toISOString() };
      await manager.insert(OutboxEvent, { type: 'signup.emergency', data });
    });
  }
}
