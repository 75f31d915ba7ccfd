import type { EventType } from '@daybook/contract/events';
import type { TestDatabase } from './test-database.ts';

export interface StoredEvent {
  readonly id: string;
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  readonly next_attempt_at: Date;
  readonly attempts: number;
  readonly first_attempt_at: Date | null;
  readonly last_error: string | null;
  readonly delivered_at: Date | null;
  readonly dead_at: Date | null;
}

/** Returns the events whose data contains the passed fields, oldest first. */
export const eventsWith = (database: TestDatabase, data: object): Promise<StoredEvent[]> =>
  database.query<StoredEvent>('SELECT * FROM outbox_event WHERE data @> $1 ORDER BY id', [JSON.stringify(data)]);
