import { Injectable } from '@nestjs/common';
import { DataSource, type FindOptionsWhere, IsNull, type Repository } from 'typeorm';
import { mailboxOf } from '../database/index.ts';
import type { OutboxState } from '../metrics.ts';
import { type ClaimedEvent, hasStatus, OutboxEvent, ofAddress } from './outbox-event.entity.ts';
import type { AttemptResult } from './receiver.ts';

/** Max events that a worker claims, and attempts concurrently. */
const batchSize = 10;

/** Time in s for which a claimed event is its worker's: longer than the timeouts of receiver and database together. */
const lease = 30;

const pending = 'delivered_at IS NULL AND dead_at IS NULL';
const mailbox = mailboxOf("data->>'email'");

/**
 * Claims due events. Skips rows that another worker is claiming; after that, the pushed time keeps others away, so that no
 * connection is held during the attempt. An event with an older pending one of its address (`held_until`) is not claimed:
 * it becomes due with the older one, because reading again, at each poll, all events that wait would take ever longer
 * while the receiver is down.
 */
const claimDue = `
  WITH due AS (
    SELECT id, ${mailbox} AS mailbox FROM outbox_event WHERE ${pending} AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
  ), claim AS MATERIALIZED (
    SELECT id, (SELECT next_attempt_at FROM outbox_event AS older WHERE ${mailbox} = mailbox AND older.id < due.id
      AND ${pending} ORDER BY older.id LIMIT 1) AS held_until FROM due
  )
  UPDATE outbox_event AS event SET next_attempt_at = CASE WHEN held_until IS NULL
    THEN now() + interval '${lease} s' ELSE GREATEST(held_until, now() + interval '1 s') END
  FROM claim WHERE event.id = claim.id
  RETURNING event.id, type, data, created_at AS "createdAt", attempts, first_attempt_at AS "firstAttemptAt",
    held_until IS NOT NULL AS "isHeld"
`;

/** SQL: drops the address from a delivered deletion event. The mail system has it, so it is no longer needed here. */
const withoutDeletedAddress = `CASE WHEN type IN ('subscriber.expired', 'subscriber.forgotten') THEN data - 'email' ELSE data END`;

type Changes = Parameters<Repository<OutboxEvent>['update']>[1];

/** The queue of events. */
@Injectable()
export class OutboxRepository {
  private readonly events: Repository<OutboxEvent>;

  constructor(dataSource: DataSource) {
    this.events = dataSource.getRepository(OutboxEvent);
  }

  /** Claims due events, at most one of an address. Returns also whether any was due: then more may be. */
  async claim(): Promise<{ readonly events: readonly ClaimedEvent[]; readonly wereDue: boolean }> {
    const [due] = await this.events.query<[(ClaimedEvent & { readonly isHeld: boolean })[]]>(claimDue);
    return { events: due.filter(({ isHeld }) => !isHeld), wereDue: due.length > 0 };
  }

  /** Records the result of an attempt. After the last one, the events of the address that waited for it are due. */
  async record({ id, data }: ClaimedEvent, result: AttemptResult): Promise<void> {
    const attempt = { attempts: () => 'attempts + 1', firstAttemptAt: () => 'COALESCE(first_attempt_at, now())' };
    // Accepts dead events too: an attempt may succeed after its lease, while another one ends the retries.
    const where = result.outcome === 'delivered' ? { deliveredAt: IsNull() } : hasStatus.pending;
    const { affected } = await this.events.update({ id, ...where }, { ...attempt, ...changesBy(result) });
    if (affected && result.outcome !== 'failed')
      await this.events.update(
        { ...hasStatus.pending, ...ofAddress(String(data.email)) },
        { nextAttemptAt: () => 'now()' },
      );
  }

  /** Makes dead events due again, with the same ids and three more days of retries. Returns the replayed ids. */
  async replay(where: FindOptionsWhere<OutboxEvent>): Promise<readonly string[]> {
    const changes: Changes = { deadAt: null, firstAttemptAt: null, nextAttemptAt: () => 'now()' };
    const { raw } = await this.events.update({ ...where, ...hasStatus.dead }, changes, { returning: 'id' });
    return (raw as readonly { readonly id: string }[]).map(({ id }) => id);
  }

  /** Counts the pending events, and returns the age of the oldest. */
  async state(): Promise<OutboxState> {
    const oldestAge = 'COALESCE(EXTRACT(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestAge"';
    const statement = `SELECT count(*)::integer AS depth, ${oldestAge} FROM outbox_event WHERE ${pending}`;
    const [state] = await this.events.query<[OutboxState]>(statement);
    return state;
  }
}

function changesBy(result: AttemptResult): Changes {
  if (result.outcome === 'delivered')
    return { deliveredAt: () => 'now()', deadAt: null, lastError: null, data: () => withoutDeletedAddress };
  const { reason: lastError } = result;
  if (result.outcome === 'dead') return { deadAt: () => 'now()', lastError };
  return { nextAttemptAt: () => `now() + ${Math.ceil(result.delay)} * interval '1 ms'`, lastError };
}
