import { mailboxOf } from '../database/index.ts';
import { insertEvent, isoTime, maySend } from '../outbox/index.ts';

/**
 * Stores a signup: the subscriber, unless its email has one, an entry, and the event. One statement is one round trip,
 * one transaction, and has no window for another signup with the email. A signup ends an unsubscribe. `old` is the row
 * after the wait for concurrent signups of the subscriber, and the time is from after it, too. Suspected signups are
 * limited apart, so that bots keep back no event of a person.
 */
export const storeSignup = `
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

/** Plans a signup: PostgreSQL checks its tables, columns, unique index and privileges, and stores nothing. */
export const planSignup = `EXPLAIN (GENERIC_PLAN) ${storeSignup}`;

/**
 * Returns a statement that sets the columns of a completion unless they are set, and stores the event of the first
 * completion: of concurrent calls, exactly one sees an `old` row that is not completed.
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

export const storeCompletion = completing({ completed_at: 'now()' });
export const storeNotice = completing({
  notice_source: '$2',
  notice_timestamp: '$3::timestamptz',
  notice_received_at: 'now()',
});

/** A unique index drops repeats of a notice per email and UTC day; they have no event. */
export const storeEmergencyNotice = `
  WITH notice AS (
    INSERT INTO emergency_notice (email, source, client_timestamp) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
    RETURNING email, source, received_at
  )
  ${insertEvent('signup.emergency', { email: 'email', source: 'source', receivedAt: isoTime('received_at') }, 'FROM notice')}
`;
