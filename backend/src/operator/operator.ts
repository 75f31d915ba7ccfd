import { createProgram, exitCodes, processTerminal, runProgram, type Terminal } from '@daybook/server';
import { addAuditLogCommand } from './audit-log.ts';
import { OperatorContext } from './context.ts';
import { addEventCommands } from './events.ts';
import { addExportCommand } from './export-subscribers.ts';
import { addForgetCommand } from './forget-subscriber.ts';
import { addImportCommand } from './import-events.ts';
import { addPrivacyRequestCommands } from './privacy-requests.ts';
import { addStatsCommand } from './stats.ts';
import { addShowCommand } from './subscriber-record.ts';

/**
 * Runs one of the operator's commands.
 *
 * @param parameters command-line arguments after `operator`
 * @param stop aborted on Ctrl-C
 * @returns the exit code of the process
 */
export async function runOperator(
  parameters: readonly string[],
  variables: NodeJS.ProcessEnv,
  stop: AbortSignal,
  terminal: Terminal = processTerminal,
): Promise<number> {
  const description = 'Subscribers, events, privacy requests and statistics of the site.';
  const program = createProgram(variables.OPERATOR_COMMAND || 'operator', description, terminal).addHelpText(
    'after',
    `Uses the database of DATABASE_URL or DATABASE_URL_FILE; without either, npm run operator uses the one of npm start.
Write an address that begins with - after --.`,
  );
  const context = new OperatorContext(variables, stop, terminal);
  addStatsCommand(program, context);
  const subscribers = program.command('subscribers').description('subscribers, and all data of an address');
  addExportCommand(subscribers, context);
  addShowCommand(subscribers, context);
  addForgetCommand(subscribers, context);
  const events = program.command('events').description('events for the mail system');
  addEventCommands(events, context);
  addImportCommand(events, context);
  const requests = program.command('privacy-requests').description('requests from the privacy pages');
  addPrivacyRequestCommands(requests, context);
  addAuditLogCommand(program, context);
  const exitCode = await runProgram(program, parameters, terminal);
  return context.wasStopped ? exitCodes.stopped : exitCode;
}
