import { ageOf, alignColumns } from '@daybook/server';
import { type Command, print, printJson } from '../command-line/command.ts';
import { readChoice, readMoment, readWholeNumber } from '../command-line/values.ts';
import { countOf, momentOf, numberOf, printable } from '../output/printable.ts';
import { type EventStatus, eventStatuses, eventStatusOf, hasStatus } from './event-status.ts';

const defaultLimit = 50;
const highestLimit = 100_000;

interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly created_at: Date;
  readonly attempts: number;
  readonly next_attempt_at: Date;
  readonly delivered_at: Date | null;
  readonly dead_at: Date | null;
  readonly last_error: string | null;
}

export const listEvents: Command = {
  name: 'events list',
  summary: 'what the mail system is told: what waits, was delivered, or is dead',
  options: {
    status: { type: 'string' },
    type: { type: 'string' },
    since: { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
  },
  help: [
    '  --status pending|delivered|dead   pending ones are tried again until they are delivered or dead',
    '  --type <type>                     such as signup.created',
    '  --since <day|time|age>            what happened since 2026-11-21, 2026-11-21T08:00:00Z, or in the last 7d or 12h',
    `  --limit <number>                  the newest so many; ${defaultLimit} where left out`,
    '  --json                            the same for programs',
    '',
    'It shows no addresses; operator subscribers show <address> has the events of one. Times are in UTC.',
  ],
  run: async (given, workplace) => {
    const [status, since, limit] = [given.text('status'), given.text('since'), given.text('limit')];
    const wanted: EventStatus | undefined =
      status === undefined ? undefined : readChoice(status, '--status', eventStatuses);
    const highest = limit === undefined ? defaultLimit : readWholeNumber(limit, '--limit', 1, highestLimit);
    const moment = since === undefined ? null : readMoment(since, '--since');
    const dataSource = await workplace.connect();
    const condition = `${wanted ? hasStatus[wanted] : 'true'}
      AND ($1::text IS NULL OR type = $1) AND ($2::timestamptz IS NULL OR created_at >= $2)`;
    const values = [given.text('type') ?? null, moment];
    const rows = await dataSource.query<EventRow[]>(
      `SELECT id, type, created_at, attempts, next_attempt_at, delivered_at, dead_at, last_error
       FROM outbox_event WHERE ${condition} ORDER BY created_at DESC, id DESC LIMIT $3`,
      [...values, highest],
    );
    if (given.has('json'))
      return printJson(
        workplace,
        rows.map((row) => ({ ...row, status: eventStatusOf(row) })),
      );
    const [{ count }] = await dataSource.query<[{ count: number }]>(
      `SELECT count(*) AS count FROM outbox_event WHERE ${condition}`,
      values,
    );
    print(workplace, describe(rows, count, Date.now()));
  },
};

/** When an event ended, or when it is tried again. */
function then(row: EventRow, now: number): string {
  const end = row.delivered_at ?? row.dead_at;
  if (end) return momentOf(end);
  return row.next_attempt_at.getTime() <= now ? 'due now' : `due ${momentOf(row.next_attempt_at)}`;
}

function describe(rows: readonly EventRow[], count: number, now: number): readonly string[] {
  if (count === 0) return ['There are no such events.'];
  const table = alignColumns([
    ['ID', 'TYPE', 'STATUS', 'HAPPENED', 'AGE', 'ATTEMPTS', 'ENDED OR DUE', 'LAST FAILURE'],
    ...rows.map((row) => [
      row.id,
      row.type,
      eventStatusOf(row),
      momentOf(row.created_at),
      ageOf(row.created_at.getTime(), now),
      String(row.attempts),
      then(row, now),
      printable(row.last_error ?? ''),
    ]),
  ]);
  return rows.length < count
    ? [...table, `The newest ${numberOf(rows.length)} of ${countOf(count, 'event')}; more with --limit.`]
    : table;
}
