import type { PoolClient } from 'pg';
import QueryStream from 'pg-query-stream';
import type { DataSource } from 'typeorm';
import type { Command, Workplace } from '../command-line/command.ts';
import { print } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import type { Given } from '../command-line/given.ts';
import { readChoice, readMoment } from '../command-line/values.ts';
import { writeAside } from '../output/output-file.ts';
import { countOf, numberOf } from '../output/printable.ts';
import { Progress } from '../output/progress.ts';
import { formats, type RowTarget, writeRows } from '../output/write-rows.ts';
import { selectSubscribers, subscriberColumns, subscriberStatuses, type Wanted } from './subscriber-rows.ts';

/** Rows that are fetched from the database at a time. */
const batchSize = 500;

export const exportSubscribers: Command = {
  name: 'subscribers export',
  summary: 'every subscriber, a row each, as CSV or JSON',
  options: {
    format: { type: 'string' },
    since: { type: 'string' },
    status: { type: 'string' },
    output: { type: 'string' },
    force: { type: 'boolean' },
  },
  help: [
    '  --format csv|json              csv where left out; json is a list, a row in each line',
    '  --since <day|time|age>         who signed up, for the first time or again, since 2026-11-21,',
    '                                 2026-11-21T08:00:00Z, or in the last 7d or 12h; days are of UTC',
    '  --status <status>              completed or unfinished, as a registration of theirs was; suspected, where the',
    '                                 field that people do not see was filled in and the mail system knows nothing',
    '                                 of them; or unsubscribed, who are none of the others until they sign up again',
    '  --output <file>                a file that only you can read, there once it is whole; without it the rows',
    '                                 go to standard output: write npm run -s then, for npm prints lines of its own',
    '  --force                        replace a file that is there',
    '',
    'Whatever happens meanwhile, the rows are those of one moment. The CSV is made for spreadsheets: a field that',
    'begins with = + - @ or a tab has an apostrophe in front, so that no spreadsheet runs it as a formula. Addresses',
    'can begin so; for other programs take json, where every field is as it was stored.',
  ],
  run: async (given, workplace) => {
    const { force, output, format, wanted } = read(given);
    const dataSource = await workplace.connect();
    const write = (to: RowTarget['to']) =>
      exportRows(dataSource, wanted, { format, columns: subscriberColumns, to }, workplace);
    if (output === undefined) {
      await write(workplace.terminal.output);
      return;
    }
    let count = 0;
    await writeAside(output, force, async (file) => {
      count = await write(file);
    });
    print(workplace, [`${countOf(count, 'subscriber')} written to ${output}.`]);
  },
};

function read(given: Given) {
  const [since, status] = [given.text('since'), given.text('status')];
  const [output, force] = [given.text('output'), given.has('force')];
  if (output === '') throw new UsageError('--output needs the name of a file.');
  if (force && output === undefined) throw new UsageError('--force goes with --output.');
  return {
    output,
    force,
    format: readChoice(given.text('format') ?? 'csv', '--format', formats),
    wanted: {
      since: since === undefined ? undefined : readMoment(since, '--since'),
      status: status === undefined ? undefined : readChoice(status, '--status', subscriberStatuses),
    },
  };
}

/** Writes the rows of one moment, and gives their number. */
async function exportRows(
  dataSource: DataSource,
  wanted: Wanted,
  target: RowTarget,
  { terminal, stop }: Workplace,
): Promise<number> {
  const statements = selectSubscribers(wanted);
  const runner = dataSource.createQueryRunner();
  const progress = new Progress(terminal.errors);
  try {
    const client: PoolClient = await runner.connect();
    // The total and the rows are to be of the same moment.
    await runner.query('START TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const [{ total }] = await runner.query(statements.count, statements.values);
    let count = 0;
    const seen = () => {
      count++;
      progress.tell(() => `${numberOf(count)} of ${countOf(total, 'subscriber')} (${percent(count, total)} %)`);
    };
    const rows = client.query(new QueryStream(statements.rows, statements.values, { batchSize }));
    await writeRows(rows, target, seen, stop);
    await runner.query('COMMIT');
    return count;
  } finally {
    progress.end();
    await runner.release();
  }
}

const percent = (count: number, total: number) => Math.floor((100 * count) / Math.max(total, 1));
