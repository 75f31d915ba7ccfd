import { CommandError, exitCodes, UsageError } from '@daybook/server';

export interface CommandOptions {
  /** Whether a signal is the command's good end, as it is a server's. */
  readonly untilStopped?: boolean;
}

/**
 * Runs a command to its end, or until a signal, then disposes of all that it started, last first, and ends the process.
 * A command that was stopped before its end never exits with 0, unless it runs until it is stopped.
 *
 * @param command gets a stack to put what it starts on, and a signal after which it begins nothing more
 */
export async function runCommand(
  command: (started: AsyncDisposableStack, stopped: AbortSignal) => Promise<void>,
  { untilStopped = false }: CommandOptions = {},
): Promise<never> {
  const started = new AsyncDisposableStack();
  const stopped = new AbortController();
  const interrupted = Promise.withResolvers<number>();
  const stop = () => {
    // First, so that what fails because of it is not taken for the reason.
    interrupted.resolve(untilStopped ? exitCodes.done : exitCodes.stopped);
    stopped.abort();
  };
  // A terminal that closes, or a second Ctrl-C, is no reason to leave anything behind either.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  let code: number = exitCodes.done;
  try {
    code = await Promise.race([command(started, stopped.signal).then(() => exitCodes.done), interrupted.promise]);
    if (code !== exitCodes.done) console.error('\nStopped before the end.');
  } catch (error) {
    console.error(`\n${error instanceof CommandError ? error.message : error instanceof Error ? error.stack : error}`);
    code = error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  }
  await started.disposeAsync();
  process.exit(code || process.exitCode);
}
