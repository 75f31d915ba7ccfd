import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeControls, printableLine } from '@daybook/server';
import { type Command, Option } from 'commander';
import { stringify } from 'csv-stringify';
import type { DataSource } from 'typeorm';
import type { OperatorContext } from './context.ts';

type Format = 'csv' | 'json';

export function addExportCommand(subscribers: Command, context: OperatorContext): void {
  subscribers
    .command('export')
    .description('exports subscribers as CSV or JSON to standard output, one row each')
    .addOption(
      new Option('--format <format>', 'json is an array with one row per line').choices(['csv', 'json']).default('csv'),
    )
    .addHelpText(
      'after',
      `
In a clone, use npm run -s, because npm prints lines, too. The export is a consistent snapshot of the view subscriber_export.
The CSV is for spreadsheets: = + - @ at the start of a field, or after a comma, semicolon or bar in it, gets an
apostrophe before it, so that no spreadsheet runs it as a formula, and control characters are replaced. Emails can begin
with these, too; for other programs use json, which has every field as stored.`,
    )
    .action(
      context.action(async ({ format }: { readonly format: Format }) => {
        const dataSource = await context.connect({ action: 'subscribers export', details: { format } });
        await exportTo(context.terminal.output as NodeJS.WriteStream, format, dataSource);
      }),
    );
}

/** Writes the rows as they are read: memory stays constant for any number of them. */
async function exportTo(to: NodeJS.WriteStream, format: Format, dataSource: DataSource) {
  const runner = dataSource.createQueryRunner();
  try {
    const columns = await dataSource.query<{ name: string }[]>(
      "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'subscriber_export'::regclass AND attnum > 0 ORDER BY attnum",
    );
    const rows = Readable.from(await runner.stream('SELECT * FROM subscriber_export'));
    await pipeline(rows, format === 'csv' ? csv(columns.map(({ name }) => name)) : jsonLines, to, { end: false });
  } finally {
    await runner.release();
  }
}

/** The start of a formula, also in full width, at the start of a text or after a delimiter: some programs ignore quotes. */
const formula = /[=+\-@＝＋－＠](?<=(?:^|[;,|])[\s"]*.)/gu;

/** Returns a text without formulas and control characters: visitors choose their names. */
const spreadsheetText = (text: string) => printableLine(text).replaceAll(formula, "'$&");

/** Formats rows as CSV (RFC 4180, UTF-8). Joins lists with semicolons; missing values are empty. */
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

export async function* jsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield `${before}${escapeControls(JSON.stringify(row))}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
