import type { CompletionNotice } from '@daybook/contract/api';
import { Injectable } from '@nestjs/common';
import { DataSource, In, type ObjectLiteral, type Repository } from 'typeorm';
import { mailboxOf } from '../database/index.ts';
import { isoTime } from '../outbox/index.ts';
import { WaitlistEntry } from './waitlist-entry.entity.ts';

/**
 * Max `signup.created` of a subscriber on a day, and as many of those that end an unsubscribe; max `signup.completed`
 * within 24 hours. Otherwise, a receiver that sends a mail for each would let anybody flood an inbox. Further signups are
 * stored, with the same response. A suspected signup is sent if it is the first of the day, and does not count, so that bots
 * keep back no event of a person.
 */
export const eventsPerDay = 3;

/** SQL: a count of the subscriber, from 0 on each day. */
const today = (count: string) => `CASE known.last_signup_on WHEN CURRENT_DATE THEN known.${count} ELSE 0 END`;

/**
 * Stores a signup: the subscriber, unless its address has one, an entry, and the event. One statement instead of three:
 * one round trip, one transaction, and no window for another signup with the address. A signup ends an unsubscribe, and
 * its event reports that. `old` is the row before the update, which waited for concurrent signups of the subscriber. The
 * time is from after that wait, so that of a signup and an unsubscribe the later one in the table has the later time.
 * `nth` is its number among the day's signups of its kind; null for a suspected one that is not the day's first.
 */
const storeSignup = `
  WITH subscriber AS (
    INSERT INTO subscriber AS known (email, signups_that_day) VALUES ($1, (NOT $3)::integer)
    ON CONFLICT (${mailboxOf('email')}) DO UPDATE SET unsubscribed_at = NULL, last_signup_on = CURRENT_DATE,
      signups_that_day = ${today('signups_that_day')} + (NOT $3)::integer,
      returns_that_day = ${today('returns_that_day')} + (known.unsubscribed_at IS NOT NULL)::integer
    RETURNING id, email, old.unsubscribed_at IS NOT NULL AS resubscribed, CASE WHEN old.unsubscribed_at IS NOT NULL
      THEN returns_that_day WHEN NOT $3 OR old.last_signup_on IS DISTINCT FROM CURRENT_DATE THEN signups_that_day END AS nth
  ), entry AS (
    INSERT INTO waitlist_entry (id, subscriber_id, suspected, created_at) SELECT $2, id, $3, clock_timestamp() FROM subscriber
    RETURNING id, suspected, created_at
  )
  INSERT INTO outbox_event (type, data)
  SELECT 'signup.created', jsonb_build_object('entryId', entry.id, 'email', email, 'suspected', suspected,
    'resubscribed', resubscribed, 'signedUpAt', ${isoTime('created_at')})
  FROM entry, subscriber WHERE nth <= ${eventsPerDay}
`;

/**
 * Returns a statement that sets the columns of a completion unless they are set, and stores the event of the first
 * completion. `old` is the row after the last committed transaction, also for concurrent calls: exactly one of them sees
 * an entry that is not completed.
 */
const completing = (values: Readonly<Record<string, string>>): string => `
  WITH entry AS (
    UPDATE waitlist_entry SET ${Object.entries(values).map(([column, value]) => `${column} = COALESCE(${column}, ${value})`)}
    WHERE id = $1
    RETURNING id, subscriber_id, num_nonnulls(old.completed_at, old.notice_received_at) = 0 AS is_first
  ), event AS (
    INSERT INTO outbox_event (type, data)
    SELECT 'signup.completed', jsonb_build_object('entryId', entry.id, 'email', email, 'completedAt', ${isoTime('now()')})
    FROM entry JOIN subscriber ON subscriber.id = subscriber_id
    WHERE is_first AND (
      SELECT count(*) FROM outbox_event WHERE ${mailboxOf("data->>'email'")} = ${mailboxOf('email')}
        AND type = 'signup.completed' AND created_at > now() - interval '1 day'
    ) < ${eventsPerDay}
  )
  SELECT id FROM entry
`;

const storeCompletion = completing({ completed_at: 'now()' });
const storeNotice = completing({
  notice_source: '$2',
  notice_timestamp: '$3::timestamptz',
  notice_received_at: 'now()',
});

type Changes = Parameters<Repository<WaitlistEntry>['update']>[1];

type SignupValues = readonly [email: string, id: number, suspected: boolean];

/** Entries and their subscribers. */
@Injectable()
export class WaitlistRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a signup. @throws the driver's error */
  async storeSignup(...values: SignupValues): Promise<void> {
    await this.dataSource.query(storeSignup, [...values]);
  }

  /**
   * Plans the statement of a signup without running it: PostgreSQL checks its tables and columns, the unique index that its
   * ON CONFLICT needs, and the privileges of this role. A list of these here would miss the next one.
   *
   * @throws the driver's error
   */
  async planSignup(): Promise<void> {
    await this.dataSource.query(`EXPLAIN (GENERIC_PLAN) ${storeSignup}`);
  }

  /** Stores a signup and rolls it back: a full disk is found by writing alone. @throws the driver's error */
  async trySignup(...values: SignupValues): Promise<void> {
    const connection = this.dataSource.createQueryRunner();
    try {
      await connection.startTransaction();
      await connection.query(storeSignup, [...values]);
    } finally {
      await connection.rollbackTransaction().catch(() => undefined);
      await connection.release();
    }
  }

  /** Returns the id of the newest of the entries that has the e-mail address. */
  async findByEmail(email: string, ids: readonly number[]): Promise<number | undefined> {
    const entries = await this.dataSource
      .createQueryBuilder(WaitlistEntry, 'entry')
      .innerJoin('entry.subscriber', 'subscriber')
      .select('entry.id', 'id')
      // Not a condition: PostgreSQL could then begin with all entries of the address.
      .addSelect(`${mailboxOf('subscriber.email')} = ${mailboxOf(':email')}`, 'hasEmail')
      .where({ id: In([...ids]) })
      .setParameters({ email })
      .orderBy('entry.created_at', 'DESC')
      .getRawMany<{ readonly id: number; readonly hasEmail: boolean }>();
    return entries.find(({ hasEmail }) => hasEmail)?.id;
  }

  /** Sets columns of an entry. Returns whether there is one. */
  async change(id: number, changes: Changes, parameters: ObjectLiteral = {}): Promise<boolean> {
    const update = this.dataSource.createQueryBuilder().update(WaitlistEntry).set(changes).where({ id });
    const { affected } = await update.setParameters(parameters).execute();
    return affected === 1;
  }

  /** Marks an entry complete, unless it is. Returns whether there is one. */
  async complete(id: number, notice?: CompletionNotice): Promise<boolean> {
    const found: readonly object[] = notice
      ? await this.dataSource.query(storeNotice, [id, notice.source, new Date(notice.timestamp)])
      : await this.dataSource.query(storeCompletion, [id]);
    return found.length === 1;
  }
}
