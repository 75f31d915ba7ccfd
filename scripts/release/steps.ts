import { printable } from '@daybook/server';
import { CommandError } from '@daybook/server/command-line';

/** Prints lines that may contain texts of others, such as the titles of a release. */
export const print = (lines: string): void => console.log(printable(lines));

/** A step of a command; may return a detail for its line. */
type Run<Value> = () => Value | Promise<Value>;

interface Result<Value> {
  readonly line: string;
  readonly value?: Value;
  readonly error?: unknown;
}

async function attempt<Value>(name: string, run: Run<Value>): Promise<Result<Value>> {
  const begun = performance.now();
  const seconds = () => `(${((performance.now() - begun) / 1000).toFixed(1)} s)`;
  try {
    const value = await run();
    return { line: `  ✓ ${name}${typeof value === 'string' ? `: ${value}` : ''} ${seconds()}`, value };
  } catch (error) {
    return { line: `  ✗ ${name} ${seconds()}`, error };
  }
}

/** Runs a step and prints its name, result and duration; starts no step after `stopped`. */
export async function step<Value>(name: string, stopped: AbortSignal, run: Run<Value>): Promise<Value> {
  stopped.throwIfAborted();
  const result = await attempt(name, run);
  print(result.line);
  if ('error' in result) throw result.error;
  return result.value as Value;
}

/**
 * Runs steps at the same time, all of them to their end; prints their lines in the order of the steps.
 *
 * @param steps by name
 * @throws CommandError with the messages of all steps that failed
 */
export async function inParallel(stopped: AbortSignal, steps: Readonly<Record<string, Run<unknown>>>): Promise<void> {
  stopped.throwIfAborted();
  const errors: unknown[] = [];
  for (const running of Object.entries(steps).map(([name, run]) => attempt(name, run))) {
    const result = await running;
    print(result.line);
    if ('error' in result) errors.push(result.error);
  }
  const unexpected = errors.find((error) => !(error instanceof CommandError));
  if (unexpected) throw unexpected;
  if (errors.length > 0) throw new CommandError(errors.map((error) => (error as Error).message).join('\n\n'));
}
