import { DataSource } from 'typeorm';
import { databaseOptions } from '../database/index.ts';
import { databaseEnvironmentSchema, readEnvironment } from '../environment.ts';
import { messageOf } from '../exit-with-message.ts';
import { print, type Terminal, type Workplace } from './command-line/command.ts';
import { OperatorError, UsageError } from './command-line/errors.ts';
import { findCommand } from './command-line/find-command.ts';
import { describeCommand, describeCommands } from './command-line/help.ts';
import { readGiven } from './command-line/read-given.ts';
import { commands } from './commands.ts';

/** What the process ends with; `stopped` as shells have it for Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, misused: 2, stopped: 130 } as const;

const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help';

/**
 * Runs one of the operator's commands.
 *
 * @param parameters what was written after `operator`
 * @returns the exit code of the process; what went wrong was told
 */
export async function runOperator(
  parameters: readonly string[],
  terminal: Terminal,
  variables: NodeJS.ProcessEnv,
  stop: AbortSignal,
): Promise<number> {
  const environment = () => readDatabaseEnvironment(variables);
  let dataSource: DataSource | undefined;
  const connect = async () => {
    const options = { ...databaseOptions(environment()), applicationName: 'daybook-operator' };
    dataSource ??= await new DataSource(options).initialize();
    return dataSource;
  };
  try {
    await run(parameters, { terminal, environment, connect, stop });
    return exitCodes.done;
  } catch (error) {
    if (stop.aborted) return exitCodes.stopped;
    terminal.errors.write(`${describe(error, parameters)}\n`);
    return error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  } finally {
    await dataSource?.destroy();
  }
}

async function run(parameters: readonly string[], workplace: Workplace): Promise<void> {
  if (parameters.length === 0 || isHelp(parameters[0])) return print(workplace, describeCommands(commands));
  const { command, rest } = findCommand(commands, parameters);
  if (isHelp(rest[0]) || rest.some((word) => word === '--help' || word === '-h'))
    return print(workplace, describeCommand(command));
  await command.run(readGiven(command, rest), workplace);
}

function readDatabaseEnvironment(variables: NodeJS.ProcessEnv) {
  if (!variables.DATABASE_URL && !variables.DATABASE_URL_FILE)
    throw new OperatorError(
      'There is no database to work on. Set DATABASE_URL or DATABASE_URL_FILE; for that of npm start, start the site first.',
    );
  return readEnvironment(databaseEnvironmentSchema, variables);
}

function describe(error: unknown, parameters: readonly string[]): string {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof UsageError)) return messageOf(error);
  const found = commands.find(({ name }) => parameters.join(' ').startsWith(name));
  return `${error.message} See: operator ${found ? `${found.name} --help` : 'help'}`;
}
