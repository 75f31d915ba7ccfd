import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { root } from '@daybook/testing/workspaces';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

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
function run(body: string, options = {}, program: readonly string[] = [process.execPath]) {
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
  const [name = '', ...parameters] = [...program, file];
  const spawned = spawn(name, parameters, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
  child = spawned;
  const read = (stream: Readable | null) => text(stream ?? Readable.from([]));
  const end = Promise.all([once(spawned, 'exit'), read(spawned.stdout), read(spawned.stderr)]);
  return { spawned, end: end.then(([[code], stdout, stderr]) => ({ code, stdout, stderr })) };
}

const allStopped = 'server stopped\ndatabase stopped\n';

describe('a command', () => {
  test('stops what it started, last first, and exits with process.exitCode', async () => {
    expect(await run('process.exitCode = 1').end).toEqual({ code: 1, stdout: allStopped, stderr: '' });
  });

  test('prints a CommandError without a stack and stops what it started', async () => {
    const { end } = run(`throw new CommandError('Port 8080 is in use.');`);
    expect(await end).toEqual({ code: 1, stdout: allStopped, stderr: '\nPort 8080 is in use.\n' });
  });

  const forever = `process.send('ready'); await new Promise(() => setInterval(() => undefined, 1000));`;

  test.each([
    ['fails on SIGINT', 'SIGINT', false, 130, '\nStopped before the end.\n'],
    ['that runs until stopped succeeds on SIGTERM', 'SIGTERM', true, 0, ''],
  ] as const)('%s, after it stopped what it started', async (_what, signal, untilStopped, code, stderr) => {
    const { spawned, end } = run(forever, { untilStopped });
    await once(spawned, 'message');
    spawned.kill(signal);
    expect(await end).toEqual({ code, stdout: allStopped, stderr });
  });

  test('stops when npm, which called it, is killed', async () => {
    const { spawned, end } = run(forever, {}, ['/bin/sh', '-c', '"$0" "$1" & wait', process.execPath]);
    await once(spawned, 'message');
    spawned.kill('SIGKILL');
    expect((await end).stdout).toBe(allStopped);
  });
});
