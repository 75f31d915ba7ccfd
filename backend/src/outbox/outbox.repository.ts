import type { Event } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { OutboxState } from '../metrics/index.ts';
import { isoTime } from './event-statement.ts';

const isWaiting = 'delivered_at IS NULL AND dead_at IS NULL';

const due = `
  SELECT id FROM outbox_event WHERE ${isWaiting} AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT $1
`;

const findDue = `
  SELECT id, type, ${isoTime('created_at')} AS timestamp, data, attempts,
    COALESCE(EXTRACT(epoch FROM now() - first_attempt_at) * 1000, 0)::float8 AS elapsed
  FROM outbox_event WHERE id = $1 AND ${isWaiting} AND next_attempt_at <= now()
`;

const state = `
  SELECT count(*)::integer AS depth,
    COALESCE(EXTRACT(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestAge"
  FROM outbox_event WHERE ${isWaiting}
`;

/** An attempt whose job was taken from it, because it took too long, may still end well: that counts. */
const record = (change: string, condition = isWaiting) => `
  UPDATE outbox_event SET attempts = attempts + 1, first_attempt_at = COALESCE(first_attempt_at, now()), ${change}
  WHERE id = $1 AND ${condition}
`;
/** Once the mail system knows which address to delete, nobody needs it here any more. */
const withoutDeletedAddress = `data = CASE WHEN type IN ('subscriber.expired', 'subscriber.forgotten') THEN data - 'email' ELSE data END`;
const recordDelivery = record(
  `delivered_at = now(), dead_at = NULL, last_error = NULL, ${withoutDeletedAddress}`,
  'delivered_at IS NULL',
);
const recordFailure = record(`next_attempt_at = now() + $2 * interval '1 ms', last_error = $3`);
const recordDeath = record('dead_at = now(), last_error = $2');

const revive = `
  UPDATE outbox_event SET dead_at = NULL, first_attempt_at = NULL, next_attempt_at = now()
  WHERE id = $1 AND dead_at IS NOT NULL
  RETURNING id
`;

/** An event that waits, and whose time has come. */
export type DueEvent = Event & {
  readonly id: string;
  /** Attempts made so far. */
  readonly attempts: number;
  /** Since the first attempt, in ms; 0 before it. */
  readonly elapsed: number;
};

/** The rows of outbox_event, and what becomes of them. All times are the database's. */
@Injectable()
export class OutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The ids of what is due, longest waiting first. */
  async due(limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(due, [limit]);
    return rows.map(({ id }) => id);
  }

  /** An event; undefined where it is not due, because it was delivered, is dead, or has its time to come. */
  async findDue(id: string): Promise<DueEvent | undefined> {
    const [event] = await this.dataSource.query<DueEvent[]>(findDue, [id]);
    return event;
  }

  /** How many events wait, due or not, and for how long the oldest of them has. */
  async state(): Promise<OutboxState> {
    const [row] = await this.dataSource.query<[OutboxState]>(state);
    return row;
  }

  async recordDelivery(id: string): Promise<void> {
    await this.dataSource.query(recordDelivery, [id]);
  }

  /** @param delay until the next attempt, in ms */
  async recordFailure(id: string, reason: string, delay: number): Promise<void> {
    await this.dataSource.query(recordFailure, [id, delay, reason]);
  }

  async recordDeath(id: string, reason: string): Promise<void> {
    await this.dataSource.query(recordDeath, [id, reason]);
  }

  /** Makes a dead event due, with three days before it; gives whether there was one. */
  async revive(id: string): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(revive, [id]);
    return rows.length > 0;
  }
}
