import { stopAllChildren } from './children.ts';

/** What went wrong and what to do, in words for whoever typed the command; shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Between two looks at whether the parent is still there, in ms. */
const parentInterval = 500;

/** npm may be ended in a way that it can't pass on. */
function resolveWhenOrphaned(asked: PromiseWithResolvers<void>): void {
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) asked.resolve();
  };
  setInterval(look, parentInterval).unref();
}

/**
 * Runs a command to its end, or until Ctrl-C or SIGTERM, and then disposes of all that it started, last first.
 * The process's exit code is 0 where the command ended by itself or was asked to stop, 1 where it failed.
 *
 * @param command gets a stack to put what it starts on
 */
export async function runCommand(command: (started: AsyncDisposableStack) => Promise<void>): Promise<never> {
  const started = new AsyncDisposableStack();
  const asked = Promise.withResolvers<void>();
  // A terminal that closes, or a second Ctrl-C, is no reason to leave anything behind either.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked.resolve());
  resolveWhenOrphaned(asked);
  let code = 0;
  try {
    await Promise.race([command(started), asked.promise]);
  } catch (error) {
    console.error(
      `\n${error instanceof CommandError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error}`,
    );
    code = 1;
  }
  await started.disposeAsync();
  await stopAllChildren();
  process.exit(code || process.exitCode);
}
