import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { root } from '@daybook/testing/workspaces';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-command-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Runs a command with this body in a separate process: `runCommand` ends its process. */
function run(body: string, options = {}, program: readonly string[] = []) {
  const file = path.join(folder, 'command.mjs');
  const urlOf = (name: string) => JSON.stringify(pathToFileURL(path.join(root, name)).href);
  writeFileSync(
    file,
    `import { runCommand } from ${urlOf('scripts/run-command.ts')};
    import { CommandError } from ${urlOf('packages/server/src/command-line.ts')};
    await runCommand(async (started, stopped) => {
      started.defer(() => console.log('database stopped'));
      started.defer(() => console.log('server stopped'));
      ${body}
    }, ${JSON.stringify(options)});`,
  );
  const env = { PATH: process.env.PATH, npm_lifecycle_event: 'start' };
  const [name = '', ...parameters] = [...program, process.execPath, file];
  const spawned = spawn(name, parameters, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
  child = spawned;
  const { stdout, stderr } = spawned;
  const end = Promise.all([once(spawned, 'exit'), stdout && text(stdout), stderr && text(stderr)]);
  return { spawned, end: end.then(([[code], output, errors]) => ({ code, output, errors })) };
}

const output = 'server stopped\ndatabase stopped\n';

test('a command stops what it started, last first, and exits with its code', async () => {
  expect(await run('process.exitCode = 1').end).toEqual({ code: 1, output, errors: '' });
  const failed = await run(`throw new CommandError('Port 8080 is in use.');`).end;
  expect(failed).toEqual({ code: 1, output, errors: '\nPort 8080 is in use.\n' });
});

const forever = `process.send('ready'); await new Promise(() => setInterval(() => undefined, 1000));`;

test.each([
  ['command fails on SIGINT', 'SIGINT', false, 130, '\nStopped before the end.\n'],
  ['server succeeds on SIGTERM', 'SIGTERM', true, 0, ''],
] as const)('a %s, after it stopped what it started', async (_what, signal, untilStopped, code, errors) => {
  const { spawned, end } = run(forever, { untilStopped });
  await once(spawned, 'message');
  spawned.kill(signal);
  expect(await end).toEqual({ code, output, errors });
});

test('a command stops when npm, which called it, is killed', async () => {
  const { spawned, end } = run(forever, {}, ['/bin/sh', '-c', '"$0" "$1" & wait']);
  await once(spawned, 'message');
  spawned.kill('SIGKILL');
  expect((await end).output).toBe(output);
});
