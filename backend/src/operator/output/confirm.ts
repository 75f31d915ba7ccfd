import { createInterface } from 'node:readline/promises';
import type { Workplace } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';

/**
 * Asks a question on the terminal, to be answered with `yes`.
 *
 * @returns whether it was
 * @throws UsageError where there is no terminal to ask on
 */
export async function confirm(question: string, { terminal, stop }: Workplace): Promise<boolean> {
  const { input, errors } = terminal;
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
