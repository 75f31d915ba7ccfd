import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Load } from './load.ts';

interface Arrived {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly entryId?: number; readonly email: string };
}

/** Compares acknowledged calls with the database's rows and the delivered events. */
export async function findings(database: pg.Client, file: string, acknowledged: Load['acknowledged']) {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const arrived = lines.map((line) => JSON.parse(line) as Arrived);
  const column = async (text: string) => new Set((await database.query({ text, rowMode: 'array' })).rows.flat());
  const entries = 'SELECT id::float8 FROM waitlist_entry';
  const { created, completed, emergencies } = acknowledged;
  const completedEntries = await column(`${entries} WHERE num_nonnulls(completed_at, notice_received_at) > 0`);
  const notices = await column('SELECT email FROM emergency_notice');
  const entryOf = ({ data }: Arrived) => data.entryId;
  const results = [
    findingOf('signup.created', created, await column(entries), arrived, entryOf),
    findingOf('signup.completed', completed, completedEntries, arrived, entryOf),
    findingOf('signup.emergency', emergencies, notices, arrived, ({ data }) => data.email),
  ];
  return { results, disordered: countDisordered(arrived) };
}

/** Counts the addresses whose events arrived, each for the first time, in another order than they were stored. */
function countDisordered(arrived: readonly Arrived[]): number {
  const byEmail = Map.groupBy(arrived, ({ data }) => data.email);
  return [...byEmail.values()].filter((events) => {
    const ids = [...new Set(events.map(({ id }) => id))];
    // Ids are UUIDv7: their text sorts by time.
    return String(ids) !== String(ids.toSorted());
  }).length;
}

function findingOf(
  type: string,
  acknowledged: ReadonlySet<unknown>,
  stored: ReadonlySet<unknown>,
  arrived: readonly Arrived[],
  subjectOf: (event: Arrived) => unknown,
) {
  const ofType = arrived.filter((event) => event.type === type);
  const bySubject = Map.groupBy(ofType, subjectOf);
  const all = [...acknowledged];
  return {
    type,
    acknowledged: all.length,
    stored: all.filter((subject) => stored.has(subject)).length,
    arrived: all.filter((subject) => bySubject.has(subject)).length,
    lost: all.filter((subject) => !stored.has(subject) || !bySubject.has(subject)).length,
    /** Subjects, acknowledged or not, with events under more than one id. */
    doubled: [...bySubject.values()].filter((events) => new Set(events.map(({ id }) => id)).size > 1).length,
    /** Number of deliveries, repeats included. */
    deliveries: ofType.length,
  };
}
