import { insertEvents, isoTime } from '../outbox/index.ts';

/**
 * Stores subscriber, entry and event in one statement instead of three: one round trip, one transaction, and no window
 * between lookup and insert for a second signup with the same address. A signup ends an unsubscribe of its address, and
 * its event reports that (`resubscribed`). A suspected one (`$3`) has no event and does not change the unsubscribe
 * until its completion confirms it. Unsubscribes from before the subscriber existed are found in the privacy requests,
 * later ones in `unsubscribed_at`.
 *
 * A retry (an idempotency key, `$4`, that an entry has) changes nothing and returns that entry. A concurrent one, whose
 * snapshot lacks the entry, violates the unique key: the service repeats the whole statement.
 */
export const storeSignup = `
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

export const storeCompletion = completing({ completed_at: 'now()' });

export const storeNotice = completing({
  notice_source: '$3',
  notice_timestamp: '$4::timestamptz',
  notice_received_at: 'now()',
});
