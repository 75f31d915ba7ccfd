import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '../../..');

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
