import type { CompletionNotice, WaitlistEntry as EntryAnswer } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { insertEvents, isoTime } from '../outbox/index.ts';

/**
 * A change by which an entry counts as completed, with the event if it is the first one. `old` is the row as the last
 * transaction left it, also when several calls wait for each other: exactly one of them sees neither time set.
 */
const completing = (changes: string): string => `
  WITH completed AS (
    UPDATE waitlist_entry SET ${changes} WHERE id = $1
    RETURNING id, (SELECT email FROM subscriber WHERE subscriber.id = subscriber_id) AS email,
      old.completed_at IS NULL AND old.notice_received_at IS NULL AS is_first
  ), event AS (
    ${insertEvents(
      'signup.completed',
      { entryId: 'id', email: 'email', completedAt: isoTime('now()') },
      'completed WHERE is_first',
    )}
  )
  SELECT id, email FROM completed
`;

const complete = completing('completed_at = COALESCE(completed_at, now())');

const takeNotice = completing(`
  notice_source = COALESCE(notice_source, $2),
  notice_timestamp = COALESCE(notice_timestamp, $3),
  notice_received_at = COALESCE(notice_received_at, now())
`);

/** What completes an entry. Each gives the entry, or undefined where there is none with the id. */
@Injectable()
export class CompletionRepository {
  constructor(private readonly dataSource: DataSource) {}

  async complete(id: number): Promise<EntryAnswer | undefined> {
    const [entry] = await this.dataSource.query<EntryAnswer[]>(complete, [id]);
    return entry;
  }

  /** The first notice stays; the client's time is kept with it, and nothing goes by it. */
  async takeNotice(id: number, { source, timestamp }: CompletionNotice): Promise<EntryAnswer | undefined> {
    const [entry] = await this.dataSource.query<EntryAnswer[]>(takeNotice, [id, source, new Date(timestamp)]);
    return entry;
  }
}
