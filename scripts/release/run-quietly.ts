import { once } from 'node:events';
import { type ChildOptions, collectOutput, exitCode, startNode } from '../children.ts';

/** Runs a Node program to its end; gives its exit code and all that it printed. */
export async function runQuietly(parameters: readonly string[], options: Omit<ChildOptions, 'output'> = {}) {
  const child = startNode(parameters, { ...options, output: 'pipe' });
  const output = collectOutput(child);
  // What it printed last may come after its end.
  const closed = once(child, 'close');
  const code = await exitCode(child);
  await closed;
  return { code, output: output() };
}
