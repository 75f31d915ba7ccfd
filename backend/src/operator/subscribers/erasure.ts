import type { DataSource, EntityManager } from 'typeorm';
import { insertEvents, isoTime } from '../../outbox/index.ts';
import { isCompleted } from './subscriber-rows.ts';

/** What was removed of an address. */
export interface Erasure {
  readonly email: string;
  readonly subscriber: boolean;
  readonly entries: number;
  readonly emergencyNotices: number;
  readonly events: number;
  /** Those of the events that the mail system never took. */
  readonly undelivered: number;
  /** Privacy requests, which are kept. */
  readonly privacyRequests: number;
  /** The event by which the mail system is told. */
  readonly event: string | undefined;
}

/**
 * Held against a signup with the same address that begins now: it waits, and then makes the subscriber anew. Those
 * that ended before are seen by the statements that follow. Where there is no subscriber, one is made to be held, and
 * removed like any other: else a signup of this moment would keep its entry and lose its event.
 */
const holdSubscriber = `
  INSERT INTO subscriber (email) VALUES ($1) ON CONFLICT (email) DO UPDATE SET email = EXCLUDED.email
  RETURNING id, xmax = 0 AS "isNew"
`;

const deleteEntries = `DELETE FROM waitlist_entry WHERE subscriber_id = $1 RETURNING ${isCompleted} AS completed`;

/** In one statement, for a notice is stored together with its event: either both are seen or none. */
const deleteNoticesAndEvents = `
  WITH notice AS (
    DELETE FROM emergency_notice WHERE email = $1 RETURNING id
  ), event AS (
    DELETE FROM outbox_event WHERE data->>'email' = $1 RETURNING id, type, delivered_at
  )
  SELECT (SELECT count(*) FROM notice) AS notices,
    (SELECT count(*) FROM event) AS events,
    (SELECT count(*) FROM event WHERE delivered_at IS NULL AND type <> 'subscriber.forgotten') AS undelivered,
    (SELECT count(*) FROM event WHERE type = 'subscriber.forgotten') AS forgotten,
    (SELECT array_agg(id::text) FROM event) AS ids,
    (SELECT count(*) FROM privacy_request WHERE email = $1) AS requests
`;

/** Jobs name the event alone, but what one answered is kept with it. */
const deleteJobs = 'DELETE FROM pgboss.job WHERE singleton_key = ANY ($1::text[])';

/** A number by month and status: nobody can tell from it whether an address was among them. */
const countForgotten = `
  INSERT INTO forgotten_count (month, status, count) VALUES (date_trunc('month', now() AT TIME ZONE 'UTC'), $1, 1)
  ON CONFLICT (month, status) DO UPDATE SET count = forgotten_count.count + 1
`;

/** An attempt that is under way may still tell the mail system of the address; it ends before this one begins. */
const tellMailSystem = `
  ${insertEvents(
    'subscriber.forgotten',
    { email: '$1::text', forgottenAt: isoTime('now()') },
    '(SELECT) AS nothing',
    "now() + interval '30 s'",
  )}
  RETURNING id
`;

/**
 * Removes all that is kept of an address but its privacy requests, which have to be kept to show that they were
 * answered. It is one transaction, and leaves a count and the event that tells the mail system to do the same.
 *
 * @param tell whether there is to be such an event
 */
export function erase(dataSource: DataSource, email: string, tell: boolean): Promise<Erasure> {
  return dataSource.transaction(async (manager) => {
    const [{ id, isNew }] = await manager.query<[{ id: number; isNew: boolean }]>(holdSubscriber, [email]);
    const entries = await deleted<{ completed: boolean }>(manager, deleteEntries, [id]);
    await manager.query('DELETE FROM subscriber WHERE id = $1', [id]);
    const [{ notices, events, undelivered, forgotten, ids, requests }] = await manager.query(deleteNoticesAndEvents, [
      email,
    ]);
    if (events > 0) await manager.query(deleteJobs, [ids]);
    // Somebody else may have been faster: then only their event is left, to be made anew.
    if (!isNew || notices + events > forgotten) await manager.query(countForgotten, [statusOf(entries)]);
    const [event] =
      tell && (!isNew || notices + events > 0) ? await manager.query<{ id: string }[]>(tellMailSystem, [email]) : [];
    return {
      email,
      subscriber: !isNew,
      entries: entries.length,
      emergencyNotices: notices,
      events,
      undelivered,
      privacyRequests: requests,
      event: event?.id,
    };
  });
}

function statusOf(entries: readonly { readonly completed: boolean }[]): 'completed' | 'unfinished' | 'never signed up' {
  if (entries.length === 0) return 'never signed up';
  return entries.some(({ completed }) => completed) ? 'completed' : 'unfinished';
}

/** TypeORM answers a DELETE with its rows and their number. */
async function deleted<Row>(manager: EntityManager, statement: string, values: unknown[]): Promise<Row[]> {
  const [rows] = await manager.query<[Row[], number]>(statement, values);
  return rows;
}
