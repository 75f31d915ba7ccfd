import type { WaitlistEntry } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError } from 'typeorm';
import { insertEvents, isoTime } from '../outbox/index.ts';
import { EntryIdSource } from './entry-id-source.ts';

/**
 * Subscriber, entry and event in one statement: one round trip, one transaction, and no gap between looking for the
 * address and storing it, in which a second signup with the same address could come. A signup ends an unsubscribe of
 * its address, and its event says so (`resubscribed`). A suspected one (`$3`) has no event and leaves the unsubscribe as
 * it is, until `CompletionRepository` confirms it. Unsubscribes from before the subscriber was stored are found by their
 * requests, later ones by the mark that they left at the subscriber.
 */
const storeSignup = `
  WITH unsubscribe AS (
    SELECT max(received_at) AS time FROM privacy_request
    WHERE lower(email) = lower($1::text) AND kind IN ('unsubscribe', 'ca-unsubscribe')
  ), known AS (
    INSERT INTO subscriber (email, unsubscribed_at) SELECT $1, CASE WHEN $3 THEN time END FROM unsubscribe
    ON CONFLICT (email) DO UPDATE SET unsubscribed_at = CASE WHEN $3 THEN subscriber.unsubscribed_at END
    RETURNING id, CASE WHEN old.id IS NULL THEN (SELECT time FROM unsubscribe) ELSE old.unsubscribed_at END AS unsubscribed_at
  ), entry AS (
    INSERT INTO waitlist_entry (id, subscriber_id, suspected) SELECT $2, id, $3::boolean FROM known
    RETURNING id, created_at
  )
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
`;

/** Among a billion entries, one new id in 280,000 is taken already. */
const mostAttempts = 4;

@Injectable()
export class SignupRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ids: EntryIdSource,
  ) {}

  /**
   * Stores a signup with a normalised address, and returns its new entry.
   *
   * @param suspected whether the honeypot field was filled in
   */
  async store(email: string, suspected: boolean): Promise<WaitlistEntry> {
    for (let attempt = 1; ; attempt++) {
      const id = this.ids.next();
      try {
        await this.dataSource.query(storeSignup, [email, id, suspected]);
        return { id, email };
      } catch (error) {
        if (attempt === mostAttempts || !isTakenId(error)) throw error;
      }
    }
  }
}

function isTakenId(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { driverError } = error;
  return 'constraint' in driverError && driverError.constraint === 'waitlist_entry_pkey';
}
