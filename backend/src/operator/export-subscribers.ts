import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeControls, printableLine } from '@daybook/server';
import { type Command, Option } from 'commander';
import { stringify } from 'csv-stringify';
import type { EntityManager } from 'typeorm';
import { isCompleted, Subscriber, WaitlistEntry } from '../waitlist/index.ts';
import { byOption, parseMoment } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countOf, reportProgress, writeNewFile } from './output.ts';

/**
 * `completed` and `unfinished`: with and without a completed registration. `suspected`: unfinished, and every
 * registration has the honeypot field filled in. `unsubscribed`, which overrides the others: by a privacy request,
 * without a signup since.
 */
const subscriberStatuses = ['completed', 'unfinished', 'suspected', 'unsubscribed'] as const;
type SubscriberStatus = (typeof subscriberStatuses)[number];

const status = `
  CASE WHEN unsubscribed_at IS NOT NULL THEN 'unsubscribed' WHEN bool_or(${isCompleted}) THEN 'completed'
    WHEN bool_and(suspected) THEN 'suspected' ELSE 'unfinished' END
`;

/** Returns SQL for a column of the newest entry that has a value in it; later entries without one do not clear it. */
const newest = (column: string) =>
  `(array_agg(${column} ORDER BY entry.created_at DESC) FILTER (WHERE ${column} IS NOT NULL))[1]`;

/** The columns of an export after address and status, in order. */
const columns = {
  signed_up_at: 'min(entry.created_at)',
  last_signed_up_at: 'max(entry.created_at)',
  completed_at: 'min(LEAST(completed_at, notice_received_at))',
  unsubscribed_at: 'unsubscribed_at',
  signups: 'count(entry.id)',
  first_name: newest('first_name'),
  last_name: newest('last_name'),
  zip_code: newest('zip_code'),
  selected_offers: newest('to_jsonb(selected_offers)'),
} as const;

/** Selects one row per subscriber with the status, also for those without entries. */
const selectSubscribers = (manager: EntityManager) =>
  manager
    .createQueryBuilder(Subscriber, 'subscriber')
    .leftJoin(WaitlistEntry, 'entry', 'entry.subscriber_id = subscriber.id')
    .select('email', 'email')
    .addSelect(status, 'status')
    .groupBy('subscriber.id');

/** Counts the subscribers, in total and by status. */
export async function countSubscribers(manager: EntityManager) {
  const subscribers = selectSubscribers(manager);
  const rows = await manager
    .createQueryBuilder()
    .select('status')
    .addSelect('count(*)', 'count')
    .from(`(${subscribers.getQuery()})`, 'subscribers')
    .groupBy('status')
    .getRawMany<{ status: SubscriberStatus; count: number }>();
  const counts = { total: 0, completed: 0, unfinished: 0, suspected: 0, unsubscribed: 0 };
  for (const { status, count } of rows) {
    counts[status] = count;
    counts.total += count;
  }
  return counts;
}

interface ExportOptions {
  readonly format: 'csv' | 'json';
  readonly since?: Date;
  readonly status?: SubscriberStatus;
  readonly output?: string;
  readonly by?: string;
}

export function addExportCommand(subscribers: Command, context: OperatorContext): void {
  subscribers
    .command('export')
    .description('exports subscribers as CSV or JSON, one row each')
    .addOption(
      new Option('--format <format>', 'json is an array with one row per line').choices(['csv', 'json']).default('csv'),
    )
    .option(
      '--since <day|time|age>',
      'only subscribers that signed up (again) since then; days are in UTC',
      parseMoment,
    )
    .addOption(new Option('--status <status>', 'only this status').choices(subscriberStatuses))
    .option('--output <file>', 'write to a new file that only you can read')
    .addOption(byOption())
    .addHelpText(
      'after',
      `
Without --output, rows are written to standard output: use npm run -s then, because npm prints lines, too. The export is
a consistent snapshot. Status suspected: no registration is completed, and all have the honeypot field filled in. Status
unsubscribed overrides the others until the next signup. The CSV is for spreadsheets: = + - @ at the start of a
field, or after a comma, semicolon or bar in it, gets an apostrophe before it, so that no spreadsheet runs it as a formula, and
control characters are replaced. Addresses can begin with these, too; for other programs use json, which has every field as
stored.`,
    )
    .action(
      context.action(async ({ output, by, ...options }: ExportOptions) => {
        const { terminal, stop } = context;
        const { manager } = await context.connectForAudit(by, 'subscribers export', options);
        let count = 0;
        const endProgress = reportProgress(() => countOf(count, 'subscriber'), terminal);
        const write = async (to: NodeJS.WritableStream, end: boolean) => {
          const rows = Readable.from(await streamSubscribers(manager, options)).on('data', () => {
            count++;
          });
          const text = options.format === 'csv' ? csv(['email', 'status', ...Object.keys(columns)]) : jsonLines;
          await pipeline(rows, text, to, { signal: stop, end });
        };
        try {
          if (output === undefined) await write(terminal.output as NodeJS.WriteStream, false);
          else await writeNewFile(output, (to) => write(to, true));
        } finally {
          endProgress();
        }
        if (output !== undefined) context.print(`${countOf(count, 'subscriber')} written to ${output}.`);
      }),
    );
}

/** Streams the rows: memory stays constant for any number of them. */
function streamSubscribers(manager: EntityManager, { since, status: wanted }: Omit<ExportOptions, 'output' | 'by'>) {
  const query = selectSubscribers(manager).orderBy('subscriber.id');
  for (const [name, expression] of Object.entries(columns)) query.addSelect(expression, name);
  // Filters subscribers before the join: a condition on its result would read the whole table.
  if (since)
    query.where('subscriber.id IN (SELECT subscriber_id FROM waitlist_entry WHERE created_at >= :since)', { since });
  if (wanted) query.having(`${status} = :wanted`, { wanted });
  return query.stream();
}

/**
 * The start of a formula, also in full width, at the start of a text or of what a program takes for the next field. What is
 * before it is compared last: first, each blank of a long run would be compared with all before it.
 */
const formula = /[=+\-@＝＋－＠](?<=(?:^|[;,|])[\s"]*.)/gu;

/**
 * Returns a text that a spreadsheet neither runs nor splits into a cell that it runs: visitors choose their names. A
 * spreadsheet that separates fields by semicolons reads the quotes of a field with commas before it as text, so that
 * `Ada;=1+1` would be two cells, however it is quoted. Control characters would start new rows in other programs.
 */
const spreadsheetText = (text: string) => printableLine(text).replaceAll(formula, "'$&");

/**
 * Formats rows as CSV (RFC 4180, UTF-8), with all fields quoted. Prevents CSV injection: what a spreadsheet could take for a
 * formula gets an apostrophe before it. Joins lists with semicolons; missing values are empty.
 */
export const csv = (names: readonly string[]) =>
  stringify({
    header: true,
    columns: [...names],
    record_delimiter: '\r\n',
    quoted: true,
    quoted_empty: true,
    cast: {
      string: spreadsheetText,
      date: (time) => time.toISOString(),
      object: (list) => spreadsheetText((list as unknown as readonly string[]).join(';')),
    },
  });

/** Formats rows as a JSON array with one row per line. */
export async function* jsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield `${before}${escapeControls(JSON.stringify(row))}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
