import { exitCodes } from '@daybook/server';
import { runOperator } from './operator.ts';

// Entry point of the `operator` command, also in the container: `node backend/build/operator/main.js …`.
const stop = new AbortController();

/** Timeout for a statement in progress after Ctrl-C, in ms; the database rolls it back if it is cut off. */
const stopTimeout = 2_000;

// `on` instead of `once`: Ctrl-C arrives twice, from the terminal and from npm.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    stop.abort();
    setTimeout(() => process.exit(exitCodes.stopped), stopTimeout).unref();
  });
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader, such as `head`, closed the pipe.
  if (code === 'EPIPE') process.exit(exitCodes.done);
  process.stderr.write(`The result could not be written to standard output (${code ?? message}).\n`);
  process.exit(exitCodes.failed);
});
// Ignored: a closed standard error must change neither the result nor the exit code.
process.stderr.on('error', () => undefined);

process.exitCode = await runOperator(process.argv.slice(2), process.env, stop.signal);
