import { constants } from 'node:os';
import { CommandError } from '@daybook/server';

export { CommandError };

/** Between two looks at whether the parent is still there, in ms. */
const parentInterval = 500;

/** npm may be ended in a way that it can't pass on. */
function whenOrphaned(then: () => void): void {
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) then();
  };
  setInterval(look, parentInterval).unref();
}

export interface CommandOptions {
  /** Whether being asked to stop is the command's good end, as it is a server's. */
  readonly untilStopped?: boolean;
}

/** The exit code of what a signal has ended, as shells have it. */
const interruptedBy = (signal: NodeJS.Signals) => 128 + constants.signals[signal];

/**
 * Runs a command to its end, or until Ctrl-C or SIGTERM, and then disposes of all that it started, last first.
 *
 * The process's exit code is 0 where the command came to its end, 1 where it failed, and 128 and the signal's number
 * where it was stopped before: what was not done shall not look done. For a command that runs until it is stopped,
 * that is 0.
 *
 * @param command gets a stack to put what it starts on, and a signal that tells it to begin nothing more
 */
export async function runCommand(
  command: (started: AsyncDisposableStack, stopped: AbortSignal) => Promise<void>,
  { untilStopped = false }: CommandOptions = {},
): Promise<never> {
  const started = new AsyncDisposableStack();
  const stopped = new AbortController();
  const asked = Promise.withResolvers<number>();
  const stop = (signal: NodeJS.Signals) => {
    // First, so that what fails because of it is not taken for the reason.
    asked.resolve(untilStopped ? 0 : interruptedBy(signal));
    stopped.abort();
  };
  // A terminal that closes, or a second Ctrl-C, is no reason to leave anything behind either.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  whenOrphaned(() => stop('SIGHUP'));
  let code = 0;
  try {
    code = await Promise.race([command(started, stopped.signal).then(() => 0), asked.promise]);
    if (code !== 0) console.error('\nStopped before the end.');
  } catch (error) {
    console.error(
      `\n${error instanceof CommandError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error}`,
    );
    code = 1;
  }
  await started.disposeAsync();
  process.exit(code || process.exitCode);
}
