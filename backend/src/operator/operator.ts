import { createProgram, processTerminal, runProgram, type Terminal } from '@daybook/server/command-line';
import { OperatorContext } from './context.ts';
import { addExportCommand } from './export-subscribers.ts';
import { addForgetCommand } from './forget-subscriber.ts';
import { addDoneCommand } from './privacy-request-done.ts';
import { addReplayCommand } from './replay-events.ts';
import { addShowCommand } from './show-subscriber.ts';

/** Runs one of the operator's commands, and returns the exit code of the process. */
export async function runOperator(
  parameters: readonly string[],
  variables: NodeJS.ProcessEnv,
  terminal: Terminal = processTerminal,
): Promise<number> {
  const description = 'Subscribers, events and privacy requests of the site.';
  const program = createProgram(variables.OPERATOR_COMMAND || 'operator', description, terminal)
    .option('--by <name>', 'your name, for the audit log; default: OPERATOR, or your user name')
    .addHelpText(
      'after',
      `Every command is recorded in the audit log, and prints JSON. Statistics and lists are views of the database, in its schema
reports: docs/subscribers.md. Uses the database of DATABASE_URL or DATABASE_URL_FILE; without either, npm run operator uses
the one of npm start. Write an email that begins with - after --.`,
    );
  const context = new OperatorContext(program, variables, terminal);
  const subscribers = program.command('subscribers').description('subscribers, and all data of an email');
  addExportCommand(subscribers, context);
  addShowCommand(subscribers, context);
  addForgetCommand(subscribers, context);
  const events = program.command('events').description('events for the mail system');
  addReplayCommand(events, context);
  const requests = program.command('privacy-requests').description('requests from the privacy pages');
  addDoneCommand(requests, context);
  return runProgram(program, parameters, terminal);
}
