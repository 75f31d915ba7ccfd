import { userInfo } from 'node:os';
import { Command, CommanderError } from 'commander';
import { printable } from './printable.ts';

/** Exit codes of a command; 130 is the shells' code for Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, misused: 2, stopped: 130 } as const;

/** An expected failure of a command; the message names its cause and what to do, and is shown without a stack. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** The command was called with unknown or invalid arguments or options; nothing was done. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/** The streams of a command: those of the process, except in tests. */
export interface Terminal {
  /** Results only: scripts may parse them. */
  readonly output: Pick<NodeJS.WriteStream, 'write' | 'columns'>;
  /** Progress, questions and errors. */
  readonly errors: NodeJS.WriteStream;
}

export const processTerminal: Terminal = { output: process.stdout, errors: process.stderr };

const exitCodeHelp = `
Results go to standard output, all else to standard error.
Exit codes: 0 done; 1 could not be done; 2 wrong usage; 130 stopped by Ctrl-C.`;

/**
 * Creates the program of a command line. Subcommands added with `program.command()` share its format of help and
 * errors.
 *
 * @param name its name on the command line, such as `operator`
 */
export function createProgram(name: string, description: string, terminal: Terminal = processTerminal): Command {
  return new Command(name)
    .description(description)
    .configureOutput({
      writeOut: (text) => terminal.output.write(printable(text)),
      // Quotes arguments, which may have been pasted from a stranger's text.
      writeErr: (text) => terminal.errors.write(printable(text)),
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand('help [command]', 'show help for a command')
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', exitCodeHelp)
    .exitOverride();
}

/**
 * Runs a program to its end.
 *
 * @param parameters the arguments after its name
 * @returns the exit code of the process; errors were written to the terminal
 */
export async function runProgram(
  program: Command,
  parameters: readonly string[],
  terminal: Terminal = processTerminal,
): Promise<number> {
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const help = `See: ${helpCommand(calledCommand(program, parameters))}\n`;
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done;
      // Without a subcommand, commander has printed the full help.
      if (error.code !== 'commander.help') terminal.errors.write(help);
      return exitCodes.misused;
    }
    const message = error instanceof CommandError ? error.message : (error as Error).stack;
    terminal.errors.write(printable(`${message}\n${error instanceof UsageError ? help : ''}`));
    return error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  }
}

/**
 * Ends the process with its output: quietly if the reader, such as `head`, has closed the pipe. A closed standard error
 * changes neither the result nor the exit code.
 */
export function endWithReader(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(exitCodes.done);
    process.stderr.write(`The result could not be written to standard output (${code ?? message}).\n`);
    process.exit(exitCodes.failed);
  });
  process.stderr.on('error', () => undefined);
}

/** Returns the command that shows the help of a command; npm takes options that are not behind `--` for its own. */
function helpCommand(called: string): string {
  if (called === 'npm run') return 'npm run help';
  return `${called}${/^npm run [^ ]+$/.test(called) ? ' --' : ''} --help`;
}

/** Returns the longest command name that the parameters start with, such as `operator subscribers export`. */
function calledCommand(program: Command, [word, ...rest]: readonly string[]): string {
  const subcommand = program.commands.find((command) => command.name() === word);
  return subcommand ? `${program.name()} ${calledCommand(subcommand, rest)}` : program.name();
}

/**
 * Returns who runs a command, for logs: `OPERATOR`, by default the user. In a container, whose user is nobody's, it is set,
 * and empty unless the caller sets it.
 */
export function operatorName({ OPERATOR: name }: NodeJS.ProcessEnv): string {
  if (name !== undefined) return name;
  try {
    return userInfo().username;
  } catch {
    // A user may have only an id.
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}
