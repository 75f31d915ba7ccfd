import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Acknowledged } from './load.ts';

interface Arrived {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly entryId?: number; readonly email: string };
}

/** What became of what was acknowledged, of one type of event. */
export interface Finding {
  readonly type: string;
  readonly acknowledged: number;
  readonly stored: number;
  readonly arrived: number;
  readonly lost: number;
  /** Subjects, acknowledged or not, of which events with more than one id arrived. */
  readonly doubled: number;
  /** How often any event arrived, repeats included. */
  readonly deliveries: number;
}

/** Events that no attempt has brought to an end. */
export async function countWaiting(database: pg.Client): Promise<number> {
  const { rows } = await database.query(
    'SELECT count(*)::int AS waiting FROM outbox_event WHERE delivered_at IS NULL AND dead_at IS NULL',
  );
  return rows[0].waiting;
}

/** Compares what was acknowledged with the rows of the database and with what arrived. */
export async function findings(database: pg.Client, file: string, acknowledged: Acknowledged): Promise<Finding[]> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const arrived = lines.map((line) => JSON.parse(line) as Arrived);
  const column = async (query: string) =>
    new Set((await database.query({ text: query, rowMode: 'array' })).rows.flat());
  const entries = await column('SELECT id::float8 FROM waitlist_entry');
  const completed = await column(
    'SELECT id::float8 FROM waitlist_entry WHERE completed_at IS NOT NULL OR notice_received_at IS NOT NULL',
  );
  const emergencies = await column('SELECT email FROM emergency_notice');
  return [
    finding('signup.created', acknowledged.created, entries, arrived, ({ data }) => data.entryId),
    finding('signup.completed', acknowledged.completed, completed, arrived, ({ data }) => data.entryId),
    finding('signup.emergency', acknowledged.emergencies, emergencies, arrived, ({ data }) => data.email),
  ];
}

function finding(
  type: string,
  acknowledged: ReadonlySet<unknown>,
  stored: ReadonlySet<unknown>,
  arrived: readonly Arrived[],
  subjectOf: (event: Arrived) => unknown,
): Finding {
  const ofType = arrived.filter((event) => event.type === type);
  const idsBySubject = new Map<unknown, Set<string>>();
  for (const event of ofType) {
    const subject = subjectOf(event);
    idsBySubject.set(subject, (idsBySubject.get(subject) ?? new Set()).add(event.id));
  }
  const all = [...acknowledged];
  return {
    type,
    acknowledged: all.length,
    stored: all.filter((subject) => stored.has(subject)).length,
    arrived: all.filter((subject) => idsBySubject.has(subject)).length,
    lost: all.filter((subject) => !stored.has(subject) || !idsBySubject.has(subject)).length,
    doubled: [...idsBySubject.values()].filter((ids) => ids.size > 1).length,
    deliveries: ofType.length,
  };
}
