import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { stringify } from 'csv-stringify';
import type { EntityManager } from 'typeorm';
import { isCompleted, Subscriber, WaitlistEntry } from '../waitlist/index.ts';
import { parseMoment } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countOf, reportProgress, writeNewFile } from './output.ts';

/**
 * What a subscriber can be: with a registration that was completed, or without; suspected, where every registration has
 * the honeypot field filled in and none was completed since; or, whatever they have, unsubscribed by a privacy request,
 * after which they did not sign up again.
 */
const subscriberStatuses = ['completed', 'unfinished', 'suspected', 'unsubscribed'] as const;
type SubscriberStatus = (typeof subscriberStatuses)[number];

const status = `
  CASE WHEN unsubscribed_at IS NOT NULL THEN 'unsubscribed' WHEN bool_or(${isCompleted}) THEN 'completed'
    WHEN bool_and(suspected) THEN 'suspected' ELSE 'unfinished' END
`;

/** SQL: a column of the newest entry that has it set; no later entry without it takes it back. */
const newest = (column: string) =>
  `(array_agg(${column} ORDER BY entry.created_at DESC) FILTER (WHERE ${column} IS NOT NULL))[1]`;

/** The columns of an export beside address and status, in their order. */
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

/** A row for each subscriber, with their status, whatever the number of their entries. */
const selectSubscribers = (manager: EntityManager) =>
  manager
    .createQueryBuilder(Subscriber, 'subscriber')
    .leftJoin(WaitlistEntry, 'entry', 'entry.subscriber_id = subscriber.id')
    .select('email', 'email')
    .addSelect(status, 'status')
    .groupBy('subscriber.id');

/** How many subscribers there are, in all and of each status. */
export async function countSubscribers(manager: EntityManager) {
  const subscribers = selectSubscribers(manager);
  const rows = await manager
    .createQueryBuilder()
    .select('status')
    .addSelect('count(*)', 'count')
    .from(`(${subscribers.getQuery()})`, 'subscribers')
    .groupBy('status')
    .getRawMany<{ status: SubscriberStatus; count: number }>();
  const of = (wanted: SubscriberStatus) => rows.find(({ status }) => status === wanted)?.count ?? 0;
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    completed: of('completed'),
    unfinished: of('unfinished'),
    suspected: of('suspected'),
    unsubscribed: of('unsubscribed'),
  };
}

interface ExportOptions {
  readonly format: 'csv' | 'json';
  readonly since?: Date;
  readonly status?: SubscriberStatus;
  readonly output?: string;
}

export function addExportCommand(subscribers: Command, context: OperatorContext): void {
  subscribers
    .command('export')
    .description('every subscriber, a row each, as CSV or JSON')
    .addOption(
      new Option('--format <format>', 'json is a list, a row in each line').choices(['csv', 'json']).default('csv'),
    )
    .option(
      '--since <day|time|age>',
      'who signed up, for the first time or again, since then; days are of UTC',
      parseMoment,
    )
    .addOption(new Option('--status <status>', 'of their registrations').choices(subscriberStatuses))
    .option('--output <file>', 'a new file that only you can read')
    .addHelpText(
      'after',
      `
Without --output the rows go to standard output: write npm run -s then, for npm prints lines of its own.
Whatever happens meanwhile, the rows are those of one moment. Suspected are subscribers who filled in the field that
people do not see, and of whom the mail system knows nothing; unsubscribed ones are none of the others until they sign
up again. The CSV is made for spreadsheets: a field that begins with = + - @ or a tab has an apostrophe in front, so
that no spreadsheet runs it as a formula. Addresses can begin so; for other programs take json, where every field is as
it was stored.`,
    )
    .action(
      context.action(async ({ output, ...options }: ExportOptions) => {
        const { terminal, stop } = context;
        const { manager } = await context.connect();
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

/** Rows as they come; however many there are, few are in memory at a time. */
function streamSubscribers(manager: EntityManager, { since, status: wanted }: Omit<ExportOptions, 'output'>) {
  const query = selectSubscribers(manager).orderBy('subscriber.id');
  for (const [name, expression] of Object.entries(columns)) query.addSelect(expression, name);
  // On the subscribers before the join: as a condition on its result, the whole table is read.
  if (since)
    query.where('subscriber.id IN (SELECT subscriber_id FROM waitlist_entry WHERE created_at >= :since)', { since });
  if (wanted) query.having(`${status} = :wanted`, { wanted });
  return query.stream();
}

/**
 * CSV after RFC 4180, in UTF-8. A field that a spreadsheet would take for a formula gets an apostrophe in front: it
 * begins with `=`, `+`, `-`, `@`, a tab or a carriage return, and visitors can write such names. Lists are joined by
 * semicolons; what is unknown is empty.
 */
export const csv = (names: readonly string[]) =>
  stringify({
    header: true,
    columns: [...names],
    record_delimiter: '\r\n',
    // Else only that delimiter is quoted, and a name with a line feed would begin a row of its own.
    quote_record_delimiter: true,
    escape_formulas: true,
    cast: {
      date: (time) => time.toISOString(),
      object: (list) => (list as unknown as readonly string[]).join(';'),
    },
  });

/** A JSON array, each row in a line of its own. */
export async function* jsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield `${before}${JSON.stringify(row)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
