import { createProgram, exitCodes, processTerminal, runProgram, type Terminal } from '@daybook/server';
import { OperatorContext } from './context.ts';
import { addEventCommands } from './events.ts';
import { addExportCommand } from './export-subscribers.ts';
import { addForgetCommand } from './forget-subscriber.ts';
import { addPrivacyRequestCommands } from './privacy-requests.ts';
import { addStatsCommand } from './stats.ts';
import { addShowCommand } from './subscriber-record.ts';

/**
 * Runs one of the operator's commands.
 *
 * @param parameters what was written after `operator`
 * @param stop aborted when the operator wants it to end
 * @returns the exit code of the process
 */
export async function runOperator(
  parameters: readonly string[],
  variables: NodeJS.ProcessEnv,
  stop: AbortSignal,
  terminal: Terminal = processTerminal,
): Promise<number> {
  const description = 'Subscribers, events, privacy requests and numbers of the site.';
  const program = createProgram('operator', description, terminal).addHelpText(
    'after',
    `The database is that of DATABASE_URL, or of DATABASE_URL_FILE; npm run operator takes that of npm start where there is
neither. An address that begins with - goes after --.`,
  );
  const context = new OperatorContext(variables, stop, terminal);
  addStatsCommand(program, context);
  const subscribers = program.command('subscribers').description('subscribers, and all that is stored of an address');
  addExportCommand(subscribers, context);
  addShowCommand(subscribers, context);
  addForgetCommand(subscribers, context);
  addEventCommands(program.command('events').description('events for the mail system'), context);
  const requests = program.command('privacy-requests').description('what visitors asked for on the privacy pages');
  addPrivacyRequestCommands(requests, context);
  const exitCode = await runProgram(program, parameters, terminal);
  return context.wasStopped ? exitCodes.stopped : exitCode;
}
