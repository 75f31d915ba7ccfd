import { Injectable } from '@nestjs/common';
import { DataSource, type FindOptionsWhere } from 'typeorm';
import { mailboxOf } from '../database/index.ts';
import { lease } from './event-sql.ts';
import { type ClaimedEvent, OutboxEvent, ofEmail } from './outbox-event.entity.ts';
import type { AttemptResult } from './receiver.ts';

/** Max events that a worker claims, and attempts concurrently. */
const batchSize = 10;

const mailbox = mailboxOf("data->>'email'");

/**
 * Claims due events. After that, the pushed time keeps other workers away, so that no connection is held during the
 * attempt. An event with an older pending one of the same email is not attempted, and becomes due with the older one:
 * otherwise each poll would read all events that wait.
 */
const claimDue = `
  WITH due AS (
    SELECT id, ${mailbox} AS mailbox FROM outbox_event WHERE status = 'pending' AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
  ), claim AS MATERIALIZED (
    SELECT due.id, oldest.id = due.id AS "isOldest", oldest.next_attempt_at FROM due CROSS JOIN LATERAL (
      SELECT id, next_attempt_at FROM outbox_event WHERE status = 'pending' AND ${mailbox} = mailbox ORDER BY id LIMIT 1
    ) AS oldest
  )
  UPDATE outbox_event AS event SET next_attempt_at = GREATEST(claim.next_attempt_at, now() + interval '${lease} s')
  FROM claim WHERE event.id = claim.id RETURNING event.id, type, data, created_at AS "createdAt", attempts, "isOldest"
`;

/** SQL: drops the email from a delivered deletion event. */
const withoutDeletedEmail = `CASE WHEN type IN ('subscriber.expired', 'subscriber.forgotten') THEN data - 'email' ELSE data END`;

@Injectable()
export class OutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Claims due events, at most one of an email; none if all that are due have to wait for older ones. */
  async claim(): Promise<readonly ClaimedEvent[]> {
    for (;;) {
      const [due] = await this.dataSource.query<[(ClaimedEvent & { readonly isOldest: boolean })[]]>(claimDue);
      const events = due.filter(({ isOldest }) => isOldest);
      if (events.length > 0 || due.length === 0) return events;
    }
  }

  /** Records the result of an attempt. After the last one, the events of the email that waited for it are due. */
  async record({ id, data }: ClaimedEvent, result: AttemptResult): Promise<void> {
    const { status, reason: lastError = null, delay = 0 } = result;
    const { manager } = this.dataSource;
    const nextAttemptAt = () => `now() + ${Math.ceil(delay)} * interval '1 ms'`;
    const changes = {
      status,
      lastError,
      nextAttemptAt,
      attempts: () => 'attempts + 1',
      endedAt: () => (status === 'pending' ? 'NULL' : 'now()'),
      data: () => (status === 'delivered' ? withoutDeletedEmail : 'data'),
    };
    const { affected } = await manager.update(OutboxEvent, { id, status: 'pending' }, changes);
    if (affected && status !== 'pending')
      await manager.update(OutboxEvent, { status: 'pending', ...ofEmail(String(data.email)) }, { nextAttemptAt });
  }

  /** Makes dead events due again, with the same ids and all retries. Returns the replayed ids. */
  async replay(where: FindOptionsWhere<OutboxEvent>): Promise<readonly string[]> {
    const changes = { status: 'pending', endedAt: null, attempts: 0, nextAttemptAt: () => 'now()' } as const;
    const dead = { ...where, status: 'dead' } as const;
    const { raw } = await this.dataSource.manager.update(OutboxEvent, dead, changes, { returning: 'id' });
    return (raw as readonly { readonly id: string }[]).map(({ id }) => id);
  }

  /** Returns the number of pending events, and the age of the oldest in seconds. */
  async state() {
    const oldestAge = 'COALESCE(EXTRACT(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestAge"';
    const statement = `SELECT count(*)::integer AS depth, ${oldestAge} FROM outbox_event WHERE status = 'pending'`;
    const [state] = await this.dataSource.query<[{ depth: number; oldestAge: number }]>(statement);
    return state;
  }
}
