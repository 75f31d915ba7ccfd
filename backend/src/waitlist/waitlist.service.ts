import { randomInt } from 'node:crypto';
import {
  type CompletionNotice,
  type WaitlistEntry as Entry,
  type Signup,
  waitlistEntryIdLimit,
} from '@daybook/contract/api';
import { Injectable } from '@nestjs/common';
import { DataSource, In, type ObjectLiteral, type Repository } from 'typeorm';
import { mailboxOf } from '../database/index.ts';
import { EntryNotFoundError, EntryNotOfThisBrowserError } from '../errors.ts';
import { Metrics } from '../metrics.ts';
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

/** Implements the waitlist calls of docs/product.md (Calls). The contract's schemas have validated the input. */
@Injectable()
export class WaitlistService {
  /** Whether the last signup failed in the database. */
  private isFailing = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Creates an entry. The response is the same for a known and an unknown address, also in its spelling. With the
   * honeypot field filled in, the entry and its event are marked instead of rejected: the sender may be a bot, or a
   * visitor whose browser extension fills in every field.
   */
  async signUp({ email, topic }: Signup): Promise<Entry> {
    // Random instead of sequential: cannot be guessed, and does not reveal the number of signups. With a million
    // entries, one new id in 280 million collides: that signup fails, and the visitor has to retry.
    const id = randomInt(1, waitlistEntryIdLimit);
    const suspected = Boolean(topic);
    try {
      await this.dataSource.query(storeSignup, [email, id, suspected]);
    } catch (error) {
      this.isFailing = true;
      throw error;
    }
    this.isFailing = false;
    this.metrics.signups.inc({ outcome: suspected ? 'suspected' : 'stored' });
    return { id, email };
  }

  /**
   * Checks that the database would store a signup. Plans its statement without running it: PostgreSQL checks its tables and
   * columns, the unique index that its ON CONFLICT needs, and the privileges of this role. A list of these here would miss
   * the next one. A full disk is found by writing alone: after a signup that failed, stores one and rolls it back. Doing so
   * always would write some rows each second.
   *
   * @throws the driver's error
   */
  async checkStoring(): Promise<void> {
    if (!this.isFailing) {
      await this.dataSource.query(`EXPLAIN (GENERIC_PLAN) ${storeSignup}`);
      return;
    }
    const connection = this.dataSource.createQueryRunner();
    try {
      await connection.startTransaction();
      const id = randomInt(1, waitlistEntryIdLimit);
      await connection.query(storeSignup, [`readiness-${id}@example.invalid`, id, false]);
      this.isFailing = false;
    } finally {
      await connection.rollbackTransaction().catch(() => undefined);
      await connection.release();
    }
  }

  /**
   * Returns the newest of this browser's entries that has the address. Compares it with those entries only, so that
   * neither the response nor its timing reveals whether the address signed up elsewhere.
   *
   * @throws EntryNotOfThisBrowserError
   */
  async findByEmail(email: string, idsOfThisBrowser: readonly number[]): Promise<Entry> {
    if (idsOfThisBrowser.length === 0) throw new EntryNotOfThisBrowserError();
    const entries = await this.dataSource
      .createQueryBuilder(WaitlistEntry, 'entry')
      .innerJoin('entry.subscriber', 'subscriber')
      .select('entry.id', 'id')
      // Not a condition: PostgreSQL could then begin with all entries of the address.
      .addSelect(`${mailboxOf('subscriber.email')} = ${mailboxOf(':email')}`, 'isOfAddress')
      .where({ id: In(idsOfThisBrowser) })
      .setParameters({ email })
      .orderBy('entry.created_at', 'DESC')
      .getRawMany<{ readonly id: number; readonly isOfAddress: boolean }>();
    const entry = entries.find(({ isOfAddress }) => isOfAddress);
    if (!entry) throw new EntryNotOfThisBrowserError();
    return { id: entry.id, email };
  }

  /** Advances an entry to a step, never back. @throws EntryNotFoundError */
  setStep(id: number, step: number) {
    return this.change(id, { step: () => 'GREATEST(step, :step)' }, { step });
  }

  /** Sets columns of an entry; returns the response. @throws EntryNotFoundError */
  async change(id: number, changes: Changes, parameters: ObjectLiteral = {}) {
    const update = this.dataSource.createQueryBuilder().update(WaitlistEntry).set(changes).where({ id });
    const { affected } = await update.setParameters(parameters).execute();
    if (!affected) throw new EntryNotFoundError(id);
    return { entry: { id } };
  }

  /**
   * Marks an entry complete. Idempotent: later calls keep the first timestamp.
   *
   * @param notice only the first one is stored; its client time is never trusted
   * @throws EntryNotFoundError
   */
  async complete(id: number, notice?: CompletionNotice) {
    const found: readonly object[] = notice
      ? await this.dataSource.query(storeNotice, [id, notice.source, new Date(notice.timestamp)])
      : await this.dataSource.query(storeCompletion, [id]);
    if (found.length === 0) throw new EntryNotFoundError(id);
    return { entry: { id } };
  }
}
