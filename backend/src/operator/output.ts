import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { Writable } from 'node:stream';
import { alignColumns, CommandError, momentOf, printableLine, type Terminal, UsageError } from '@daybook/server';

const numbers = new Intl.NumberFormat('en-US');

/** Formats a count with its noun: `1 subscriber`, `1,234 subscribers`. */
export const countOf = (count: number, thing: string, things = `${thing}s`): string =>
  `${numbers.format(count)} ${count === 1 ? thing : things}`;

/** Formats a value as text, which a table or `OperatorContext.print` makes printable. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (value instanceof Date) return momentOf(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ') || 'none';
  if (typeof value === 'number') return numbers.format(value);
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${textOf(each)}`)
      .join(', ');
  return String(value);
}

/** Returns the lines of a table: the column titles, then one line per row, with numbers right-aligned. */
export function table<Row>(rows: readonly Row[], columns: Readonly<Record<string, (row: Row) => unknown>>) {
  const values = rows.map((row) => Object.values(columns).map((read) => read(row)));
  const rightAligned = [...(values[0] ?? []).keys()].filter((column) => typeof values[0]?.[column] === 'number');
  return alignColumns([Object.keys(columns), ...values.map((row) => row.map(textOf))], rightAligned);
}

/**
 * Prompts for a confirmation on the terminal; only `yes` confirms.
 *
 * @throws UsageError without a terminal
 */
export async function confirm(
  question: string,
  { input, errors }: Pick<Terminal, 'input' | 'errors'>,
  stop: AbortSignal,
): Promise<boolean> {
  if (!input.isTTY) throw new UsageError('A confirmation needs a terminal. Use --yes to skip it.');
  const lines = createInterface({ input, output: errors });
  // Ctrl-C and Ctrl-D at the prompt mean no.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('no')));
  try {
    const reply = await Promise.race([
      lines.question(`${printableLine(question)} Type yes: `, { signal: stop }),
      closed,
    ]);
    return reply.trim().toLowerCase() === 'yes';
  } finally {
    lines.close();
  }
}

/** Shows the progress of a long command in a line of the terminal. Returns a function that ends it. */
export function reportProgress(line: () => string, { errors }: Terminal): () => void {
  if (!errors.isTTY) return () => undefined;
  const eraseLine = '\r\u001b[K';
  const timer = setInterval(() => errors.write(`${eraseLine}${line()}`), 200);
  return () => {
    clearInterval(timer);
    errors.write(eraseLine);
  };
}

/**
 * Writes a new file with personal data that only its owner can read. Removes the file after an error or an abort.
 *
 * @throws CommandError if the file exists or cannot be written
 */
export async function writeNewFile(file: string, write: (to: Writable) => Promise<void>): Promise<void> {
  // Created before anything else can fail: only a file of this call may be removed.
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw notWritten(file, error);
    throw new CommandError(`The file ${file} exists already. Remove it, or choose another name.`);
  });
  const stream = handle.createWriteStream({ flush: true });
  try {
    await write(stream);
  } catch (error) {
    stream.destroy();
    rmSync(file, { force: true });
    throw (error as NodeJS.ErrnoException).syscall ? notWritten(file, error as NodeJS.ErrnoException) : error;
  }
}

/** The file system of a container is read-only. */
const redirect =
  ' Omit --output and redirect standard output: docker compose exec -T backend operator subscribers export > file';

const notWritten = (file: string, { code = '' }: NodeJS.ErrnoException) =>
  new CommandError(`${file} could not be written (${code}).${['EROFS', 'EACCES'].includes(code) ? redirect : ''}`);
