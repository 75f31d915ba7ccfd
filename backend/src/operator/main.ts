import { createProgram, exitCodes, runProgram } from '@daybook/server';
import { OperatorContext } from './context.ts';
import { addEventCommands } from './events.ts';
import { addExportCommand } from './export-subscribers.ts';
import { addForgetCommand } from './forget-subscriber.ts';
import { addPrivacyRequestCommands } from './privacy-requests.ts';
import { addStatsCommand } from './stats.ts';
import { addShowCommand } from './subscriber-record.ts';

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

const program = createProgram('operator', 'Subscribers, events, privacy requests and numbers of the site.').addHelpText(
  'after',
  `The database is that of DATABASE_URL, or of DATABASE_URL_FILE; npm run operator takes that of npm start where there is
neither. An address that begins with - goes after --.`,
);
const context = new OperatorContext(process.env, stop.signal);
addStatsCommand(program, context);
const subscribers = program.command('subscribers').description('subscribers, and all that is kept of an address');
addExportCommand(subscribers, context);
addShowCommand(subscribers, context);
addForgetCommand(subscribers, context);
addEventCommands(program.command('events').description('what the mail system is told'), context);
addPrivacyRequestCommands(
  program.command('privacy-requests').description('what visitors asked for on the privacy pages'),
  context,
);
const exitCode = await runProgram(program, process.argv.slice(2));
process.exitCode = context.wasStopped ? exitCodes.stopped : exitCode;
