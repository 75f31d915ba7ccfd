import type { EmergencyNotice as Notice } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { insertEvents, isoTime } from '../outbox/index.ts';

/**
 * The first notice of an address and UTC day, with its event. A unique index drops the others, however they race,
 * and what was not inserted has no event.
 */
const storeNotice = `
  WITH notice AS (
    INSERT INTO emergency_notice (email, source, client_timestamp) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING
    RETURNING email, source, received_at
  )
  ${insertEvents('signup.emergency', { email: 'email', source: 'source', receivedAt: isoTime('received_at') }, 'notice')}
`;

@Injectable()
export class EmergencyNoticeService {
  constructor(private readonly dataSource: DataSource) {}

  /** Keeps the first notice of an address and UTC day, and tells the mail system of it. */
  async record({ email, source, timestamp }: Notice): Promise<void> {
    await this.dataSource.query(storeNotice, [email, source, new Date(timestamp)]);
  }
}
