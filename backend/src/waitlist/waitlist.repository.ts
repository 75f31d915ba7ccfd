import type { CompletionNotice, EmergencyNotice } from '@daybook/contract/api';
import { Injectable } from '@nestjs/common';
import { DataSource, In, type ObjectLiteral, type Repository } from 'typeorm';
import { ConnectionPool, mailboxOf } from '../database/index.ts';
import { insertEvent, isoTime, maySend } from '../outbox/index.ts';
import { WaitlistEntry } from './waitlist-entry.entity.ts';

/**
 * Stores a signup: the subscriber, unless its email has one, an entry, and the event. One statement instead of three:
 * one round trip, one transaction, and no window for another signup with the email. A signup ends an unsubscribe, and
 * its event reports that. `old` is the row before the update, which waited for concurrent signups of the subscriber. The
 * time is from after that wait, so that of a signup and an unsubscribe the later one in the table has the later time.
 * Suspected signups are limited apart, so that bots keep back no event of a person.
 */
const storeSignup = `
  WITH subscriber AS (
    INSERT INTO subscriber (email) VALUES ($1)
    ON CONFLICT (${mailboxOf('email')}) DO UPDATE SET unsubscribed_at = NULL
    RETURNING id, email, old.id IS NULL AS is_new, old.unsubscribed_at IS NOT NULL AS resubscribed
  ), entry AS (
    INSERT INTO waitlist_entry (id, subscriber_id, suspected, created_at) SELECT $2, id, $3, clock_timestamp() FROM subscriber
    RETURNING id, suspected, created_at
  )
  ${insertEvent(
    'signup.created',
    {
      entryId: 'entry.id',
      email: 'email',
      suspected: 'suspected',
      resubscribed: 'resubscribed',
      signedUpAt: isoTime('created_at'),
    },
    `FROM entry, subscriber WHERE is_new
      OR ${maySend('signup.created', 'email', "jsonb_build_object('suspected', suspected, 'resubscribed', resubscribed)")}`,
  )}
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
    ${insertEvent(
      'signup.completed',
      { entryId: 'entry.id', email: 'email', completedAt: isoTime('now()') },
      `FROM entry JOIN subscriber ON subscriber.id = subscriber_id
        WHERE is_first AND ${maySend('signup.completed', 'email')}`,
    )}
  )
  SELECT id FROM entry
`;

const storeCompletion = completing({ completed_at: 'now()' });
const storeNotice = completing({
  notice_source: '$2',
  notice_timestamp: '$3::timestamptz',
  notice_received_at: 'now()',
});

/** A unique index drops repeats of a notice per email and UTC day; they have no event. */
const storeEmergencyNotice = `
  WITH notice AS (
    INSERT INTO emergency_notice (email, source, client_timestamp) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
    RETURNING email, source, received_at
  )
  ${insertEvent('signup.emergency', { email: 'email', source: 'source', receivedAt: isoTime('received_at') }, 'FROM notice')}
`;

type Changes = Parameters<Repository<WaitlistEntry>['update']>[1];

/** Entries and their subscribers. */
@Injectable()
export class WaitlistRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: ConnectionPool,
  ) {}

  /** Stores a signup. @throws the driver's error */
  async storeSignup(email: string, id: number, suspected: boolean): Promise<void> {
    await this.pool.prepared('store_signup', storeSignup, [email, id, suspected]);
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
  async trySignup(email: string, id: number, suspected: boolean): Promise<void> {
    const connection = this.dataSource.createQueryRunner();
    try {
      await connection.startTransaction();
      await connection.query(storeSignup, [email, id, suspected]);
    } finally {
      await connection.rollbackTransaction().catch(() => undefined);
      await connection.release();
    }
  }

  /** Returns the id of the newest of the entries that has the email. */
  async findByEmail(email: string, ids: readonly number[]): Promise<number | undefined> {
    const entries = await this.dataSource
      .createQueryBuilder(WaitlistEntry, 'entry')
      .innerJoin('entry.subscriber', 'subscriber')
      .select('entry.id', 'id')
      // Not a condition: PostgreSQL could then begin with all entries of the email.
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
    const { rowCount } = notice
      ? await this.pool.prepared('store_notice', storeNotice, [id, notice.source, new Date(notice.timestamp)])
      : await this.pool.prepared('store_completion', storeCompletion, [id]);
    return rowCount === 1;
  }

  /** Stores the first notice per email and UTC day, and its event. */
  async storeEmergencyNotice({ email, source, timestamp }: EmergencyNotice): Promise<void> {
    await this.dataSource.query(storeEmergencyNotice, [email, source, new Date(timestamp)]);
  }
}
