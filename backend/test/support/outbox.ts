import type { EventType } from '@daybook/contract/events';
import type { EventStatus } from '../../src/outbox/index.ts';
import type { TestDatabase } from './test-database.ts';

export interface StoredEvent {
  readonly id: string;
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  readonly next_attempt_at: Date;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly status: EventStatus;
  readonly ended_at: Date | null;
}

/** Returns the events whose data contains the passed fields, oldest first. */
export const eventsWith = (database: TestDatabase, data: object): Promise<StoredEvent[]> =>
  database.query<StoredEvent>('SELECT * FROM outbox_event WHERE data @> $1 ORDER BY id', [JSON.stringify(data)]);
