import { stripVTControlCharacters } from 'node:util';
import { printable } from '@daybook/server';
import { CommandError, exitCodes, UsageError } from '@daybook/server/command-line';
import { caller } from './environment.ts';

/**
 * Runs a command until it completes or a signal arrives, then disposes of all it started, last first, and exits.
 *
 * @param options `untilStopped` treats a signal as success, as for a server
 */
export async function runCommand(
  command: (started: AsyncDisposableStack, stopped: AbortSignal) => Promise<void>,
  { untilStopped = false } = {},
): Promise<never> {
  const started = new AsyncDisposableStack();
  const stopped = new AbortController();
  const interrupted = Promise.withResolvers<number>();
  const stop = () => {
    // Resolve before aborting: otherwise an error that the abort causes would win the race.
    interrupted.resolve(untilStopped ? exitCodes.done : exitCodes.stopped);
    stopped.abort();
  };
  // Handlers stay installed: a closed terminal or a second Ctrl-C must not leave processes behind.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // Killed, npm forwards no signal.
  const { ppid } = process;
  if (caller.npm_lifecycle_event) setInterval(() => process.ppid !== ppid && stop(), 500).unref();
  let code: number = exitCodes.done;
  try {
    code = await Promise.race([command(started, stopped.signal).then(() => exitCodes.done), interrupted.promise]);
    if (code !== exitCodes.done) console.error('\nStopped before the end.');
  } catch (error) {
    const text = error instanceof CommandError ? error.message : error instanceof Error ? error.stack : error;
    // Without the colors of programs whose output it quotes.
    console.error(`\n${printable(stripVTControlCharacters(String(text)))}`);
    code = error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  }
  await started.disposeAsync();
  process.exit(code || process.exitCode);
}
