import { pipeline } from 'node:stream/promises';
import { escapeControls, printableLine } from '@daybook/server';
import { type Command, Option } from 'commander';
import type { DataSource, QueryRunner } from 'typeorm';
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

/** How many rows are read at once. */
const batchSize = 1_000;

/** Reads all rows by a cursor: memory stays constant for any number of them. */
async function* readRows(runner: QueryRunner): AsyncGenerator<object> {
  await runner.query('DECLARE export NO SCROLL CURSOR FOR SELECT * FROM subscriber_export');
  for (;;) {
    const rows: readonly object[] = await runner.query(`FETCH ${batchSize} FROM export`);
    yield* rows;
    if (rows.length < batchSize) return;
  }
}

async function exportTo(to: NodeJS.WriteStream, format: Format, dataSource: DataSource) {
  const runner = dataSource.createQueryRunner();
  try {
    const columns = await dataSource.query<{ name: string }[]>(
      "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'subscriber_export'::regclass AND attnum > 0 ORDER BY attnum",
    );
    await runner.startTransaction();
    const lines = format === 'csv' ? csvLines(columns.map(({ name }) => name)) : jsonLines;
    await pipeline(readRows(runner), lines, to, { end: false });
    await runner.commitTransaction();
  } finally {
    await runner.release();
  }
}

/** The start of a formula, also in full width, at the start of a text or after a delimiter: some programs ignore quotes. */
const formula = /[=+\-@＝＋－＠](?<=(?:^|[;,|])[\s"]*.)/gu;

/** Returns a text without formulas and control characters: visitors choose their names. */
const spreadsheetText = (text: string) => printableLine(text).replaceAll(formula, "'$&");

function cellOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return spreadsheetText(value);
  if (Array.isArray(value)) return spreadsheetText(value.join(';'));
  return String(value ?? '');
}

const csvLine = (cells: readonly string[]) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;

/**
 * Formats rows as CSV (RFC 4180, UTF-8), with all fields quoted. Prevents CSV injection: what a spreadsheet could take for a
 * formula gets an apostrophe before it. Joins lists with semicolons; missing values are empty.
 */
export const csvLines = (names: readonly string[]) =>
  async function* (rows: AsyncIterable<object>): AsyncGenerator<string> {
    yield csvLine(names);
    for await (const row of rows) yield csvLine(names.map((name) => cellOf((row as Record<string, unknown>)[name])));
  };

export async function* jsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield `${before}${escapeControls(JSON.stringify(row))}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
