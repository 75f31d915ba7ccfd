import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { Writable } from 'node:stream';
import { CommandError, type Terminal, UsageError } from '@daybook/server';

/** A row for programs: an entity with the names of the database. */
export const rowOf = (entity: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(entity)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );

/** A text that somebody else wrote, for a terminal: without characters that would command it. */
export const printable = (text: string): string => text.replace(/\p{Cc}|\p{Bidi_Control}/gu, '�');

/** A moment for people, to the second: `2026-11-21 08:00:00`, in UTC. */
export const momentOf = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ');

const numbers = new Intl.NumberFormat('en-US');

/** A whole number for people: `1,234`. */
export const numberOf = (count: number): string => numbers.format(count);

/** A number of things: `1 subscriber`, `2 subscribers`. */
export const countOf = (count: number, thing: string, things = `${thing}s`): string =>
  `${numberOf(count)} ${count === 1 ? thing : things}`;

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

/**
 * Reports the progress of a long command: on a terminal in one line that changes, elsewhere in a line every ten seconds,
 * so that what is quick leaves nothing in a log.
 *
 * @returns ends it
 */
export function reportProgress(line: () => string, { errors }: Terminal): () => void {
  const eraseLine = '\r\u001b[K';
  const report = () => errors.write(errors.isTTY ? `${eraseLine}${line()}` : `${line()}\n`);
  const timer = setInterval(report, errors.isTTY ? 200 : 10_000);
  return () => {
    clearInterval(timer);
    if (errors.isTTY) errors.write(eraseLine);
  };
}

/**
 * Writes a file that holds personal data: beside its place, for its owner alone, and moved there once it is whole. What
 * fails or is stopped leaves no file, and an older one as it was.
 *
 * @param force whether it may replace a file that is there
 * @throws CommandError where there is such a file, or none can be written
 */
export async function writeAside(file: string, force: boolean, write: (to: Writable) => Promise<void>): Promise<void> {
  if (!force && existsSync(file))
    throw new CommandError(`There is a file ${file} already. Write --force to replace it, or name another one.`);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await write(createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    const { syscall, code } = error as NodeJS.ErrnoException;
    throw syscall ? new CommandError(`${file} could not be written (${code}).`) : error;
  }
}
