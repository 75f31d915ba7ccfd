import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');

/** Brings backend/dist up to date with its sources. */
export async function buildBackend(): Promise<void> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-b'], { cwd: join(root, 'backend') });
}

/** Runs a program with nothing in its environment but what is given. */
function run(parameters: readonly string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, parameters, { env: environment });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'close').then(async ([exitCode]) => {
    const [standard, errors] = await output;
    return { exitCode, standard, errors };
  });
  return { child, ended };
}

/** Runs a program of the built backend. */
export const runBackend = (program: 'main' | 'migrate', environment: Record<string, string>) =>
  run([join(root, `backend/dist/${program}.js`)], environment);

/** Runs the shell server on a folder with a build of the shell. */
export const runShellServer = (shellFolder: string, environment: Record<string, string>) =>
  run([join(root, 'shell/server/main.ts'), shellFolder], environment);

/** Waits until a server has told where it listens. */
export async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout ?? ([] as never) })) {
    const [address] = /http:\S+\d/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error('The server ended before it listened.');
}
