import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { eventually } from '@daybook/testing/eventually';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

// The scripts of a remote's container, with programs of this test in place of Node and sleep.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-remote-'));
  mkdirSync(path.join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const started = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
  // With its children, which a container's end would end.
  for (const { pid = 0 } of started) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // None is left.
    }
  }
  started.clear();
});

const replace = (program: string, script: string) =>
  writeFileSync(path.join(folder, 'bin', program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

/** Starts a script with the folder of this test as /tmp. */
function start(name: string) {
  const script = readFileSync(path.join(root, 'deploy/remote', name), 'utf8').replaceAll('/tmp/', `${folder}/`);
  const env = { PATH: `${folder}/bin:${process.env.PATH}`, FOLDER: folder };
  const child = spawn('sh', ['-c', script], { env, stdio: 'ignore', detached: true });
  started.add(child);
  return child;
}
const read = (name: string) => {
  const file = path.join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** Stays until it is ended, as sleep does; counts. */
const stays = 'echo "$*" >> "$FOLDER/slept"; exec tail -f /dev/null';

test('publishes once, then stays until it is stopped', async () => {
  replace('node', 'echo >> "$FOLDER/published"');
  replace('sleep', stays);
  const container = start('start.sh');
  await eventually(() => expect(read('slept')).toBe('infinity\n'));
  expect([read('outcome'), read('published')]).toEqual(['0\n', '\n']);
  container.kill('SIGTERM');
  expect(await once(container, 'exit')).toEqual([0, null]);
});

test('is stopped at once while it publishes', async () => {
  replace('node', stays);
  const container = start('start.sh');
  await eventually(() => expect(read('slept')).not.toBe(''));
  container.kill('SIGTERM');
  expect(await once(container, 'exit')).toEqual([0, null]);
  expect(read('outcome')).toBe('');
});

test('tries again after a rejection, later each time and at last every five minutes', async () => {
  replace('node', 'echo >> "$FOLDER/published"; [ "$(wc -l < "$FOLDER/published")" = 9 ]');
  replace(
    'sleep',
    'cat "$FOLDER/outcome" >> "$FOLDER/outcomes"; echo "$*" >> "$FOLDER/slept"; [ "$1" != infinity ] || exec tail -f /dev/null',
  );
  start('start.sh');
  await eventually(() => expect(read('slept')).toBe('10\n20\n40\n80\n160\n300\n300\n300\ninfinity\n'));
  expect(read('outcomes')).toBe(`${'1\n'.repeat(8)}0\n`);
});

test('is healthy or not once it knows the outcome', async () => {
  replace('sleep', 'echo >> "$FOLDER/waited"');
  for (const [outcome, code] of [
    ['0\n', 0],
    ['1\n', 1],
  ] as const) {
    rmSync(path.join(folder, 'outcome'), { force: true });
    rmSync(path.join(folder, 'waited'), { force: true });
    const check = start('healthy.sh');
    await eventually(() => expect(read('waited')).not.toBe(''));
    expect(check.exitCode).toBeNull();
    writeFileSync(path.join(folder, 'outcome'), outcome);
    expect(await once(check, 'exit')).toEqual([code, null]);
  }
});
