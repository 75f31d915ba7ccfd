import { Command, CommanderError } from 'commander';

/** What a command's process ends with; 130 is what shells have for Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, misused: 2, stopped: 130 } as const;

/** What was asked for could not be done; the message names the thing and says what to do, and is shown without a stack. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** The command was called with words or options that it does not take; nothing was done. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/** Where a command reads and writes; the process's own streams, outside of tests. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  /** Results alone: a script may read them. */
  readonly output: Pick<NodeJS.WriteStream, 'write' | 'columns'>;
  /** Progress, questions and errors. */
  readonly errors: NodeJS.WriteStream;
}

export const processTerminal: Terminal = { input: process.stdin, output: process.stdout, errors: process.stderr };

const exitCodeHelp = `
Results go to standard output, all else to standard error.
Exit codes: 0 done; 1 could not be done; 2 wrong usage; 130 stopped by Ctrl-C.`;

/**
 * Creates the program of a command line. Subcommands that are added with `program.command()` share its style of
 * help and errors.
 *
 * @param name how it is called, such as `operator`
 */
export function createProgram(name: string, description: string, terminal: Terminal = processTerminal): Command {
  return new Command(name)
    .description(description)
    .configureOutput({
      writeOut: (text) => terminal.output.write(text),
      writeErr: (text) => terminal.errors.write(text),
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand('help [command]', 'how a command is used')
    .helpOption('-h, --help', 'how it is used')
    .addHelpText('after', exitCodeHelp)
    .exitOverride();
}

/**
 * Runs a program to its end.
 *
 * @param parameters what was written after its name
 * @returns the exit code of the process; what went wrong was written to the terminal's errors
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
    const help = `See: ${calledCommand(program, parameters)} --help\n`;
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done;
      // With no subcommand, commander has written the whole help.
      if (error.code !== 'commander.help') terminal.errors.write(help);
      return exitCodes.misused;
    }
    const message = error instanceof CommandError ? error.message : (error as Error).stack;
    terminal.errors.write(`${message}\n${error instanceof UsageError ? help : ''}`);
    return error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  }
}

/** The longest name of a command that the parameters begin with, such as `operator subscribers export`. */
function calledCommand(program: Command, [word, ...rest]: readonly string[]): string {
  const subcommand = program.commands.find((command) => command.name() === word);
  return subcommand ? `${program.name()} ${calledCommand(subcommand, rest)}` : program.name();
}
