import { printable } from '@daybook/server';
import { CommandError } from '@daybook/server/command-line';

export const print = (lines: string): void => console.log(printable(lines));

/** A step of a command; may return a detail for its line. */
type Run<Value> = () => Value | Promise<Value>;

async function attempt<Value>(name: string, run: Run<Value>) {
  const begun = performance.now();
  const seconds = () => `(${((performance.now() - begun) / 1000).toFixed(1)} s)`;
  try {
    const value = await run();
    return { line: `  ✓ ${name}${typeof value === 'string' ? `: ${value}` : ''} ${seconds()}`, value };
  } catch (error) {
    return { line: `  ✗ ${name} ${seconds()}`, error };
  }
}

/** Runs steps at the same time, all of them to their end; throws all errors together. Starts none after `stopped`. */
export async function inParallel<Value>(
  stopped: AbortSignal,
  steps: Readonly<Record<string, Run<Value>>>,
): Promise<readonly Value[]> {
  stopped.throwIfAborted();
  const [values, errors]: [Value[], unknown[]] = [[], []];
  for (const running of Object.entries(steps).map(([name, run]) => attempt(name, run))) {
    const result = await running;
    print(result.line);
    if ('error' in result) errors.push(result.error);
    else values.push(result.value);
  }
  const [first] = errors;
  if (errors.length === 0) return values;
  if (errors.length === 1) throw first;
  throw (
    errors.find((error) => !(error instanceof CommandError)) ??
    new CommandError(errors.map((error) => (error as Error).message).join('\n\n'))
  );
}

export const step = async <Value>(name: string, stopped: AbortSignal, run: Run<Value>): Promise<Value> =>
  (await inParallel(stopped, { [name]: run }))[0] as Value;
