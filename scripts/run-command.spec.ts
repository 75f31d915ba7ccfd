import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { root } from '@daybook/runner/workspaces';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const nothing = Readable.from([]);

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
function writeCommand(body: string, options = {}) {
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
  return { file, environment: { PATH: process.env.PATH } };
}

/** Runs a command. */
function run(body: string, options = {}) {
  const { file } = writeCommand(body, options);
  const spawned = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  child = spawned;
  const end = Promise.all([once(spawned, 'exit'), text(spawned.stdout ?? nothing), text(spawned.stderr ?? nothing)]);
  return {
    spawned,
    end: end.then(([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr })),
  };
}

const allStopped = 'server stopped\ndatabase stopped\n';

describe('a command', () => {
  test('stops what it started, last first, when it completes', async () => {
    expect(await run('').end).toEqual({ code: 0, stdout: allStopped, stderr: '' });
  });

  test('prints a CommandError without a stack and stops what it started', async () => {
    const { code, stdout, stderr } = await run(`throw new CommandError('Port 8080 is in use.');`).end;
    expect([code, stdout, stderr]).toEqual([1, allStopped, '\nPort 8080 is in use.\n']);
  });

  test('prints any other error with its stack', async () => {
    const { code, stdout, stderr } = await run(`throw new TypeError('no such thing');`).end;
    expect([code, stdout]).toEqual([1, allStopped]);
    expect(stderr).toMatch(/TypeError: no such thing\n\s+at .*command\.mjs/);
  });

  test('exits with process.exitCode', async () => {
    expect((await run('process.exitCode = 1;').end).code).toBe(1);
  });

  const forever = `process.send('ready'); await new Promise(() => setInterval(() => undefined, 1000));`;

  test.each([
    ['fails on SIGINT', 'SIGINT', false, 130, '\nStopped before the end.\n'],
    ['fails on SIGHUP', 'SIGHUP', false, 130, '\nStopped before the end.\n'],
    ['that runs until stopped succeeds on SIGTERM', 'SIGTERM', true, 0, ''],
  ] as const)(
    '%s, after it aborted its signal and stopped what it started',
    async (_what, signal, untilStopped, code, stderr) => {
      const body = `started.defer(() => console.log(stopped.aborted ? 'aborted' : 'not aborted')); ${forever}`;
      const { spawned, end } = run(body, { untilStopped });
      await once(spawned, 'message');
      spawned.kill(signal);
      expect(await end).toEqual({ code, stdout: `aborted\n${allStopped}`, stderr });
    },
  );

  test('stops when npm, which called it, is killed', async () => {
    const { file, environment } = writeCommand(forever.replace("process.send('ready');", "console.log('ready');"));
    const npm = spawn('/bin/sh', ['-c', '"$0" "$1" & wait', process.execPath, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...environment, npm_lifecycle_event: 'start' },
    });
    const output = text(npm.stdout);
    await once(npm.stdout, 'data');
    npm.kill('SIGKILL');
    expect(await output).toContain(allStopped);
  });
});
