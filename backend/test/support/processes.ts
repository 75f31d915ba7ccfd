import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '../../..');

export interface ProcessResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program with only the passed environment variables. */
export function runProgram(parameters: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, parameters, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[exitCode], output, errors]): ProcessResult => ({ exitCode, output, errors }),
  );
  return { child, ended };
}

/** Runs a program of the built backend. */
export const runBackend = (program: 'main' | 'migrate', environment: Record<string, string>) =>
  runProgram([join(root, `backend/build/${program}.js`)], environment);

/** Runs the shell server on a folder with a build of the shell. */
export const runShellServer = (shellFolder: string, environment: Record<string, string>) =>
  runProgram([join(root, 'shell/server/main.ts'), shellFolder], environment);

/** Waits until a server has logged where it listens. */
export async function urlOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout ?? ([] as never) })) {
    const [url] = /http:\S+\d/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error('The server ended before it listened.');
}
