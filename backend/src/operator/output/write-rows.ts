import { createWriteStream } from 'node:fs';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';

export const formats = ['csv', 'json'] as const;
export type Format = (typeof formats)[number];

/** A row by its columns; lists and times are told as each format does. */
export type Row = Readonly<Record<string, string | number | Date | readonly string[] | null>>;

/**
 * CSV after RFC 4180, in UTF-8. A field that a spreadsheet would take for a formula gets an apostrophe in front: it
 * begins with `=`, `+`, `-`, `@`, a tab or a carriage return, and visitors can write such names. Lists are joined by
 * semicolons; what is unknown is empty.
 */
const csv = (columns: readonly string[]) =>
  stringify({
    header: true,
    columns: [...columns],
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
const json = () => {
  let before = '[\n';
  return new Transform({
    writableObjectMode: true,
    transform(row: Row, _encoding, done) {
      done(null, `${before}${JSON.stringify(row)}`);
      before = ',\n';
    },
    flush(done) {
      done(null, before === '[\n' ? '[]\n' : '\n]\n');
    },
  });
};

/** Where rows go, as which text. */
export interface RowTarget {
  readonly format: Format;
  readonly columns: readonly string[];
  /** The name of a file, or a stream that stays open. */
  readonly to: string | NodeJS.WritableStream;
}

/**
 * Writes rows as they come; however many there are, few are in memory at a time.
 *
 * @param seen called for each row
 */
export async function writeRows(
  rows: Readable,
  { format, columns, to }: RowTarget,
  seen: () => void,
  stop: AbortSignal,
): Promise<void> {
  const counted = new Transform({
    objectMode: true,
    transform(row, _encoding, done) {
      seen();
      done(null, row);
    },
  });
  const text = format === 'csv' ? csv(columns) : json();
  if (typeof to === 'string') await pipeline(rows, counted, text, createWriteStream(to), { signal: stop });
  else await pipeline(rows, counted, text, to, { signal: stop, end: false });
}
