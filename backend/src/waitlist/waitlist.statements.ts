import { randomInt } from 'node:crypto';
import { type CompletionNotice, type WaitlistEntry, waitlistEntryIdLimit } from '@daybook/contract/api';
import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError } from 'typeorm';
import { insertEvents, isoTime } from '../outbox/index.ts';

/**
 * Stores subscriber, entry and event in one statement instead of three: one round trip, one transaction, and no window
 * between lookup and insert for a second signup with the same address. A signup ends an unsubscribe of its address, and
 * its event reports that (`resubscribed`). A suspected one (`$3`) has no event and does not change the unsubscribe
 * until its completion confirms it. Unsubscribes from before the subscriber existed are found in the privacy requests,
 * later ones in `unsubscribed_at`.
 *
 * A retry (an idempotency key, `$4`, that an entry has) changes nothing and returns that entry. A concurrent one, whose
 * snapshot lacks the entry, violates the unique key: `signUp` repeats the whole statement.
 */
const storeSignup = `
  WITH earlier AS (
    SELECT entry.id, email FROM waitlist_entry AS entry JOIN subscriber ON subscriber.id = subscriber_id
    WHERE idempotency_key = $4
  ), unsubscribe AS (
    SELECT max(received_at) AS time FROM privacy_request
    WHERE lower(email) = lower($1::text) AND kind IN ('unsubscribe', 'ca-unsubscribe')
  ), known AS (
    INSERT INTO subscriber (email, unsubscribed_at) SELECT $1, CASE WHEN $3 THEN time END FROM unsubscribe
    WHERE NOT EXISTS (SELECT FROM earlier)
    ON CONFLICT (email) DO UPDATE SET unsubscribed_at = CASE WHEN $3 THEN subscriber.unsubscribed_at END
    RETURNING id, CASE WHEN old.id IS NULL THEN (SELECT time FROM unsubscribe) ELSE old.unsubscribed_at END AS unsubscribed_at
  ), entry AS (
    INSERT INTO waitlist_entry (id, subscriber_id, suspected, idempotency_key)
    SELECT $2, id, $3::boolean, $4::uuid FROM known
    RETURNING id, created_at
  ), event AS (
    ${insertEvents(
      'signup.created',
      {
        entryId: 'entry.id',
        email: '$1::text',
        signedUpAt: isoTime('created_at'),
        resubscribed: 'unsubscribed_at IS NOT NULL',
      },
      'entry, known WHERE NOT $3',
    )}
  )
  SELECT id, email FROM earlier
`;

/**
 * Returns a statement that sets the columns of a completion unless they are set, and stores the event of the first
 * completion. Only the browser that signed up (`$2`) can complete a suspected entry, and its first completion confirms
 * the entry: it ends an unsubscribe from before the signup, and stores the event that the signup did not. `old` is the
 * row after the last committed transaction, also for concurrent calls: exactly one of them sees neither time set.
 * Locks subscribers before their entries, like all code that locks both.
 */
const completing = (values: Readonly<Record<string, string>>): string => `
  WITH resubscribed AS (
    UPDATE subscriber SET unsubscribed_at = NULL FROM waitlist_entry AS entry
    WHERE entry.id = $1 AND suspected AND $2 AND subscriber.id = subscriber_id AND unsubscribed_at < entry.created_at
    RETURNING subscriber.id
  ), completed AS (
    UPDATE waitlist_entry
    SET ${Object.entries(values).map(([column, value]) => `${column} = COALESCE(${column}, CASE WHEN NOT suspected OR $2 THEN ${value} END)`)},
      suspected = suspected AND NOT $2
    WHERE id = $1 AND (SELECT count(*) FROM resubscribed) >= 0
    RETURNING id, created_at, (SELECT email FROM subscriber WHERE subscriber.id = subscriber_id) AS email,
      old.suspected AND NOT suspected AS is_confirmed,
      num_nonnulls(old.completed_at, old.notice_received_at) = 0 AND NOT suspected AS is_first
  ), created AS (
    ${insertEvents(
      'signup.created',
      {
        entryId: 'id',
        email: 'email',
        signedUpAt: isoTime('created_at'),
        resubscribed: 'EXISTS (SELECT FROM resubscribed)',
      },
      'completed WHERE is_confirmed',
    )}
  ), event AS (
    ${insertEvents(
      'signup.completed',
      { entryId: 'id', email: 'email', completedAt: isoTime('now()') },
      'completed WHERE is_first',
    )}
  )
  SELECT id, email FROM completed
`;

const complete = completing({ completed_at: 'now()' });

const storeNotice = completing({
  notice_source: '$3',
  notice_timestamp: '$4::timestamptz',
  notice_received_at: 'now()',
});

/** Returns whether a signup failed because one with the same idempotency key was stored at the same time. */
const isConcurrentRetry = (error: unknown): boolean =>
  error instanceof QueryFailedError && error.driverError.constraint === 'waitlist_entry_idempotency_key';

/** Runs the statements that change several tables at once. */
@Injectable()
export class WaitlistRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores a signup with a normalized address, and returns the new entry; for an idempotency key that was used before,
   * stores nothing and returns the entry of its first use, which may have another address.
   *
   * @param suspected whether the honeypot field was filled in
   */
  async signUp(
    email: string,
    suspected: boolean,
    idempotencyKey?: string,
  ): Promise<{ readonly entry: WaitlistEntry; readonly isNew: boolean }> {
    // Random instead of sequential: cannot be guessed, and does not reveal the number of signups. With a million
    // entries, one new id in 280 million collides: that signup fails, and the visitor has to retry.
    const id = randomInt(1, waitlistEntryIdLimit);
    const store = () => this.dataSource.query<WaitlistEntry[]>(storeSignup, [email, id, suspected, idempotencyKey]);
    const [earlier] = await store().catch((error: unknown) => {
      if (isConcurrentRetry(error)) return store();
      throw error;
    });
    return { entry: earlier ?? { id, email }, isNew: earlier === undefined };
  }

  /**
   * Completes an entry; returns `null` for an unknown id.
   *
   * @param isSameBrowser whether the call came from the browser that signed it up
   * @param notice only the first one is stored; its client time is never trusted
   */
  async complete(id: number, isSameBrowser: boolean, notice?: CompletionNotice): Promise<WaitlistEntry | null> {
    const values = notice ? [notice.source, new Date(notice.timestamp)] : [];
    const statement = notice ? storeNotice : complete;
    const [entry] = await this.dataSource.query<WaitlistEntry[]>(statement, [id, isSameBrowser, ...values]);
    return entry ?? null;
  }
}
