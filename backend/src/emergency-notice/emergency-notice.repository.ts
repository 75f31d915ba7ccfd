import type { EmergencyNotice as Notice } from '@daybook/contract/api';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { insertEvent, isoTime } from '../outbox/index.ts';

/** A unique index drops repeats of a notice per email and UTC day; they have no event. */
const storeNotice = `
  WITH notice AS (
    INSERT INTO emergency_notice (email, source, client_timestamp) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
    RETURNING email, source, received_at
  )
  ${insertEvent('signup.emergency', { email: 'email', source: 'source', receivedAt: isoTime('received_at') }, 'FROM notice')}
`;

@Injectable()
export class EmergencyNoticeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores the first notice per email and UTC day, and its event. */
  async store({ email, source, timestamp }: Notice): Promise<void> {
    await this.dataSource.query(storeNotice, [email, source, new Date(timestamp)]);
  }
}
