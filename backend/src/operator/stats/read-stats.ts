import type { DataSource } from 'typeorm';
import { hasStatus } from '../events/event-status.ts';
import { isCompleted } from '../subscribers/subscriber-rows.ts';

/** How things stand, in numbers; days are of UTC, times ISO 8601. */
export interface Stats {
  readonly subscribers: {
    readonly total: number;
    readonly completed: number;
    readonly unfinished: number;
    /** Only with entries that have the honeypot field filled in, none of which was completed since. */
    readonly suspected: number;
    readonly unsubscribed: number;
  };
  readonly forgotten: { readonly total: number; readonly thisMonth: number };
  readonly emergencyNotices: number;
  /** Those that nobody answered yet, and how many of them are past their time. */
  readonly privacyRequests: { readonly open: number; readonly overdue: number };
  /** Registrations of each of the last days, the oldest first, also of those without any. */
  readonly days: readonly {
    readonly day: string;
    readonly signups: number;
    readonly completed: number;
    readonly unfinished: number;
    readonly suspected: number;
  }[];
  readonly events: {
    readonly pending: number;
    readonly oldestPendingSince: string | null;
    readonly delivered: number;
    readonly dead: number;
  };
  /** On the disk, with indexes, in bytes. */
  readonly databaseSize: number;
}

const selectSubscribers = `
  SELECT count(*) AS total, count(*) FILTER (WHERE completed AND NOT unsubscribed) AS completed,
    count(*) FILTER (WHERE NOT completed AND NOT suspected AND NOT unsubscribed) AS unfinished,
    count(*) FILTER (WHERE suspected AND NOT unsubscribed) AS suspected,
    count(*) FILTER (WHERE unsubscribed) AS unsubscribed
  FROM (
    SELECT unsubscribed_at IS NOT NULL AS unsubscribed, COALESCE(bool_or(${isCompleted}), false) AS completed,
      COALESCE(bool_and(suspected), false) AS suspected
    FROM subscriber LEFT JOIN waitlist_entry ON subscriber_id = subscriber.id
    GROUP BY subscriber.id
  ) AS subscribers
`;

const selectRequests = `
  SELECT count(*) AS open, count(*) FILTER (WHERE due_at < now()) AS overdue FROM privacy_request WHERE done_at IS NULL
`;

const selectForgotten = `
  SELECT COALESCE(sum(count), 0)::int AS total,
    COALESCE(sum(count) FILTER (WHERE month = date_trunc('month', now() AT TIME ZONE 'UTC')), 0)::int AS "thisMonth"
  FROM forgotten_count
`;

const selectDays = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, count(waitlist_entry.id) AS signups,
    count(waitlist_entry.id) FILTER (WHERE ${isCompleted}) AS completed,
    count(waitlist_entry.id) FILTER (WHERE NOT (${isCompleted}) AND NOT suspected) AS unfinished,
    count(waitlist_entry.id) FILTER (WHERE suspected) AS suspected
  FROM generate_series(
    date_trunc('day', now() AT TIME ZONE 'UTC') - ($1::int - 1) * interval '1 day', now() AT TIME ZONE 'UTC', '1 day'
  ) AS day
  LEFT JOIN waitlist_entry ON date_trunc('day', created_at AT TIME ZONE 'UTC') = day
  GROUP BY day ORDER BY day
`;

const selectEvents = `
  SELECT count(*) FILTER (WHERE ${hasStatus.pending}) AS pending,
    min(created_at) FILTER (WHERE ${hasStatus.pending}) AS "oldestPendingSince",
    count(*) FILTER (WHERE ${hasStatus.delivered}) AS delivered,
    count(*) FILTER (WHERE ${hasStatus.dead}) AS dead
  FROM outbox_event
`;

/** @param days how many days of signups, today included */
export function readStats(dataSource: DataSource, days: number): Promise<Stats> {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    const one = async (statement: string) => (await manager.query(statement))[0];
    const { notices } = await one('SELECT count(*) AS notices FROM emergency_notice');
    const { size } = await one('SELECT pg_database_size(current_database()) AS size');
    return {
      subscribers: await one(selectSubscribers),
      forgotten: await one(selectForgotten),
      emergencyNotices: notices,
      privacyRequests: await one(selectRequests),
      days: await manager.query(selectDays, [days]),
      events: await one(selectEvents),
      databaseSize: size,
    };
  });
}
