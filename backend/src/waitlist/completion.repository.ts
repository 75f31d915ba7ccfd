import type { CompletionNotice, WaitlistEntry as EntryAnswer } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { insertEvents, isoTime } from '../outbox/index.ts';

/** Whether the call completes the entry: a suspected one is completed by the browser that signed it up, nobody else. */
const counts = '(NOT suspected OR $2)';

/**
 * Sets the columns that complete an entry, where they are not set yet, with the event if it is the first completion.
 * `old` is the row as the last transaction left it, also when several calls wait for each other: exactly one of them
 * sees neither time set. The first completion of a suspected entry confirms it: it ends an unsubscribe from before the
 * signup, and writes the event that the signup did not. Subscribers are locked before their entries, by whoever locks both.
 */
const completing = (values: Readonly<Record<string, string>>): string => `
  WITH resubscribed AS (
    UPDATE subscriber SET unsubscribed_at = NULL FROM waitlist_entry AS entry
    WHERE entry.id = $1 AND suspected AND $2 AND subscriber.id = subscriber_id AND unsubscribed_at < entry.created_at
    RETURNING subscriber.id
  ), completed AS (
    UPDATE waitlist_entry
    SET ${Object.entries(values).map(([column, value]) => `${column} = COALESCE(${column}, CASE WHEN ${counts} THEN ${value} END)`)},
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

const takeNotice = completing({
  notice_source: '$3',
  notice_timestamp: '$4::timestamptz',
  notice_received_at: 'now()',
});

/**
 * What completes an entry. Each returns the entry, or undefined where there is none with the id.
 * `isSameBrowser` says whether the call came from the browser that signed it up.
 */
@Injectable()
export class CompletionRepository {
  constructor(private readonly dataSource: DataSource) {}

  async complete(id: number, isSameBrowser: boolean): Promise<EntryAnswer | undefined> {
    const [entry] = await this.dataSource.query<EntryAnswer[]>(complete, [id, isSameBrowser]);
    return entry;
  }

  /** The first notice stays; the client's time is stored with it, and nothing goes by it. */
  async takeNotice(
    id: number,
    isSameBrowser: boolean,
    { source, timestamp }: CompletionNotice,
  ): Promise<EntryAnswer | undefined> {
    const values = [id, isSameBrowser, source, new Date(timestamp)];
    const [entry] = await this.dataSource.query<EntryAnswer[]>(takeNotice, values);
    return entry;
  }
}
