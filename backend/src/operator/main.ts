import { endWithReader, exitCodes } from '@daybook/server';
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
endWithReader();

process.exitCode = await runOperator(process.argv.slice(2), process.env, stop.signal);
