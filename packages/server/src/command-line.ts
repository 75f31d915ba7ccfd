import { userInfo } from 'node:os';
import { Command, CommanderError } from 'commander';
import { printable } from './printable.ts';

/** Exit codes of a command; 130 is the shells' code for Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, misused: 2, stopped: 130 } as const;

/** An expected failure of a command, whose message is shown without a stack. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

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

const helpHint = 'See --help.';

/**
 * Creates the program of a command line. Its subcommands share its format of help and errors.
 *
 * @param name its name on the command line, such as `operator`
 */
export function createProgram(name: string, description: string, terminal: Terminal = processTerminal): Command {
  return new Command(name)
    .description(description)
    .configureOutput({
      writeOut: (text) => terminal.output.write(printable(text)),
      // Quotes arguments, which may have been pasted.
      writeErr: (text) => terminal.errors.write(printable(text)),
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand('help [command]', 'show help for a command')
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', exitCodeHelp)
    .showHelpAfterError(helpHint)
    .exitOverride();
}

/**
 * Runs a program to its end, and writes errors to the terminal.
 *
 * @param parameters the arguments after its name
 * @returns the exit code of the process
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
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
    const message = error instanceof CommandError ? error.message : (error as Error).stack;
    const isMisused = error instanceof UsageError;
    terminal.errors.write(printable(`${message}\n${isMisused ? `${helpHint}\n` : ''}`));
    return isMisused ? exitCodes.misused : exitCodes.failed;
  }
}

/** Ends the process quietly if the reader, such as `head`, has closed the pipe. */
export function endWithReader(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(exitCodes.done);
    process.stderr.write(`The result could not be written to standard output (${code ?? message}).\n`);
    process.exit(exitCodes.failed);
  });
  process.stderr.on('error', () => undefined);
}

/** Returns who runs a command, for logs: `OPERATOR`, which is empty in containers unless the caller sets it, or the user. */
export function operatorName({ OPERATOR: name }: NodeJS.ProcessEnv): string {
  return name ?? userInfo().username;
}
