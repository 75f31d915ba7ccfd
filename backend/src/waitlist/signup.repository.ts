import type { WaitlistEntry } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError } from 'typeorm';
import { insertEvents, isoTime } from '../outbox/index.ts';
import { EntryIdSource } from './entry-id-source.ts';

/**
 * Subscriber, entry and event in one statement: one round trip, one transaction, and no gap between looking for the
 * address and storing it, in which a second signup with the same address could come. `DO UPDATE` gives back the row
 * that was there; who had unsubscribed is subscribed again.
 */
const storeSignup = `
  WITH known AS (
    INSERT INTO subscriber (email) VALUES ($1)
    ON CONFLICT (email) DO UPDATE SET unsubscribed_at = NULL
    RETURNING id
  ), entry AS (
    INSERT INTO waitlist_entry (id, subscriber_id) SELECT $2, id FROM known
    RETURNING id, created_at
  )
  ${insertEvents('signup.created', { entryId: 'id', email: '$1::text', signedUpAt: isoTime('created_at') }, 'entry')}
`;

/** Among a billion entries, one new id in 280,000 is taken already. */
const mostAttempts = 4;

@Injectable()
export class SignupRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ids: EntryIdSource,
  ) {}

  /** Stores a signup with a normalised address, and gives its new entry. */
  async store(email: string): Promise<WaitlistEntry> {
    for (let attempt = 1; ; attempt++) {
      const id = this.ids.next();
      try {
        await this.dataSource.query(storeSignup, [email, id]);
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
