import { createWriteStream, rmSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Writable } from 'node:stream';
import { alignColumns, CommandError, type Terminal, UsageError } from '@daybook/server';

/** A moment for people, to the second: `2026-11-21 08:00:00`, in UTC. */
export const momentOf = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ');

const numbers = new Intl.NumberFormat('en-US');

/** A number of things: `1 subscriber`, `1,234 subscribers`. */
export const countOf = (count: number, thing: string, things = `${thing}s`): string =>
  `${numbers.format(count)} ${count === 1 ? thing : things}`;

/** A value for people. Texts that somebody else wrote lose the characters that would command a terminal. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (value instanceof Date) return momentOf(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ') || 'none';
  if (typeof value === 'number') return numbers.format(value);
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${textOf(each)}`)
      .join(', ');
  return String(value).replace(/\p{Cc}|\p{Bidi_Control}/gu, '�');
}

/** Lines of a table, with a line for each row and under each title its value of the row; numbers stand to the right. */
export function table<Row>(rows: readonly Row[], columns: Readonly<Record<string, (row: Row) => unknown>>) {
  const values = rows.map((row) => Object.values(columns).map((read) => read(row)));
  const rightAligned = [...(values[0] ?? []).keys()].filter((column) => typeof values[0]?.[column] === 'number');
  return alignColumns([Object.keys(columns), ...values.map((row) => row.map(textOf))], rightAligned);
}

/**
 * Asks a question on the terminal, to be answered with `yes`.
 *
 * @throws UsageError where there is no terminal to ask on
 */
export async function confirm(
  question: string,
  { input, errors }: Pick<Terminal, 'input' | 'errors'>,
  stop: AbortSignal,
): Promise<boolean> {
  if (!input.isTTY) throw new UsageError('There is no terminal to ask on. Write --yes to do it without being asked.');
  const lines = createInterface({ input, output: errors });
  // Ctrl-C and Ctrl-D at the question are a no.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('no')));
  try {
    const answer = await Promise.race([lines.question(`${question} Type yes: `, { signal: stop }), closed]);
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    lines.close();
  }
}

/** Reports the progress of a long command in a line of the terminal that changes. Returns what ends it. */
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
 * Writes a new file that holds personal data, for its owner alone. What fails or is stopped leaves no file.
 *
 * @throws CommandError where there is such a file already, or none can be written
 */
export async function writeNewFile(file: string, write: (to: Writable) => Promise<void>): Promise<void> {
  try {
    await write(createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CommandError(`There is a file ${file} already. Remove it, or name another one.`);
    rmSync(file, { force: true });
    throw syscall ? new CommandError(`${file} could not be written (${code}).`) : error;
  }
}
