import { alignColumns } from '@daybook/server';
import type { Command } from './command.ts';
import { synopsisOf } from './read-given.ts';

/** What every command has in common, for `operator help`. */
const common = [
  'Results go to standard output, all else to standard error. Exit codes: 0 done; 1 could not be done;',
  '2 not written as it has to be; 130 stopped by Ctrl-C. The database is that of DATABASE_URL, or of DATABASE_URL_FILE;',
  'npm run operator takes that of npm start where there is neither. More on a command: operator <command> --help',
];

/** All commands, a line each. */
export function describeCommands(commands: readonly Command[]): readonly string[] {
  const rows = commands.map((command) => [`  ${synopsisOf(command)}`, command.summary]);
  return ['Usage:', ...alignColumns(rows), '', ...common];
}

/** One command. */
export const describeCommand = (command: Command): readonly string[] => [
  `${synopsisOf(command)}  ${command.summary}`,
  ...(command.help.length > 0 ? [''] : []),
  ...command.help,
];
