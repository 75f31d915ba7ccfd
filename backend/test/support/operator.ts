import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Terminal } from '@daybook/server';
import { runOperator as run } from '../../src/operator/operator.ts';
import type { TestDatabase } from './test-database.ts';

const main = join(import.meta.dirname, '../../dist/operator/main.js');

export interface OperatorResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Starts the built `operator` command with nothing in its environment but what is given. */
export function startOperator(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): { readonly child: ChildProcess; readonly ended: Promise<OperatorResult> } {
  const child = spawn(process.execPath, [...nodeOptions, main, ...parameters], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  const result = ended.then(([[exitCode], output, errors]) => ({ exitCode, output, errors }));
  // Whoever closes the output before its end looks at the child alone.
  result.catch(() => undefined);
  return { child, ended: result };
}

/** Runs the command on a database in this process, to its end; it has no terminal to ask on. */
export async function runOperator(
  { url }: Partial<TestDatabase>,
  parameters: readonly string[],
): Promise<OperatorResult> {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const texts = Promise.all([text(output), text(errors)]);
  const terminal = { input, output, errors } as unknown as Terminal;
  const exitCode = await run(parameters, url ? { DATABASE_URL: url } : {}, new AbortController().signal, terminal);
  output.end();
  errors.end();
  const [printed, problems] = await texts;
  return { exitCode, output: printed, errors: problems };
}
