import { exitCodes } from '@daybook/server';
import { runOperator } from './operator.ts';

// The `operator` command, in the container too: `node backend/dist/operator/main.js …`.
const stop = new AbortController();

/** How long a statement under way may take to end after Ctrl-C, in ms; the database undoes it where it is cut off. */
const stopTimeout = 2_000;

// Each time: Ctrl-C reaches this process from the terminal and, passed on, from npm.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    stop.abort();
    setTimeout(() => process.exit(exitCodes.stopped), stopTimeout).unref();
  });
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // Whoever reads, such as head, has enough.
  if (code === 'EPIPE') process.exit(exitCodes.done);
  process.stderr.write(`The result could not be written to standard output (${code ?? message}).\n`);
  process.exit(exitCodes.failed);
});
// That nobody reads progress and errors changes nothing about what is done, nor about the exit code.
process.stderr.on('error', () => undefined);

process.exitCode = await runOperator(process.argv.slice(2), process.env, stop.signal);
