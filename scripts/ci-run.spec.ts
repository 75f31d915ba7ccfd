import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let folder: string;

/** Writes a program in the place of a real one. */
function writeProgram(file: string, script: string): void {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, `#!/bin/sh\n${script}\n`);
  chmodSync(place, 0o755);
}

/** What npm does: `npm run test:compose`, `npm test`. */
const npm = (compose: string, tests: string) =>
  writeProgram('bin/npm', `echo "npm $*" >> "$CALLS"\nif [ "$1" = run ]; then ${compose}; else ${tests}; fi`);

/** An engine runs where the file `running` is there. */
const engineStarts = (up = 'touch "$RUNNING"') =>
  writeProgram(
    'shared/docker/engine',
    `echo "engine $1" >> "$CALLS"\ncase $1 in up) ${up} ;; down) rm "$RUNNING" ;; esac`,
  );

const running = () => path.join(folder, 'running');

function run() {
  const calls = path.join(folder, 'calls');
  const { status, stdout } = spawnSync(path.join(folder, 'repository/.ci/run'), {
    encoding: 'utf8',
    env: { PATH: `${folder}/bin:${process.env.PATH}`, CALLS: calls, RUNNING: running() },
  });
  const lines = stdout.trimEnd().split('\n');
  return { status, stdout, lastLine: lines.at(-1), calls: readFileSync(calls, 'utf8').trimEnd().split('\n') };
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-ci-'));
  mkdirSync(path.join(folder, 'repository/.ci'), { recursive: true });
  copyFileSync(path.join(root, '.ci/run'), path.join(folder, 'repository/.ci/run'));
  writeProgram('bin/docker', '[ -e "$RUNNING" ]');
  npm('echo "36 passed, 0 failed"', 'echo "2000 passed, 0 failed, 3 skipped"');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('an engine that runs is used for the compose stack, and left running', () => {
  writeFileSync(running(), '');
  engineStarts();
  expect(run()).toMatchObject({
    status: 0,
    lastLine: '2036 passed, 0 failed, 3 skipped',
    calls: ['npm run test:compose', 'npm test'],
  });
  expect(existsSync(running())).toBe(true);
});

test('where none runs one is started, and stopped before the tests in a browser', () => {
  engineStarts();
  expect(run()).toMatchObject({ status: 0, calls: ['engine up', 'npm run test:compose', 'engine down', 'npm test'] });
});

test.each([
  ['there is nothing to start', () => undefined],
  ['it does not start', () => engineStarts('exit 1')],
])('without an engine the other tests are run all the same: %s', (_why, prepare) => {
  prepare();
  const { status, stdout, lastLine, calls } = run();
  expect(stdout).toContain('the compose stack is not tried');
  expect({ status, lastLine }).toEqual({ status: 0, lastLine: '2000 passed, 0 failed, 3 skipped' });
  expect(calls).not.toContain('npm run test:compose');
});

test.each([
  [
    'a failed step of the stack',
    'echo "30 passed, 6 failed"; exit 1',
    'echo "2000 passed, 0 failed"',
    '2030 passed, 6 failed',
  ],
  ['a run of the stack that breaks off', 'exit 1', 'echo "2000 passed, 0 failed"', '2000 passed, 1 failed'],
  ['a failed check', 'echo "36 passed, 0 failed"', 'echo "2000 passed, 0 failed"; exit 1', '2036 passed, 1 failed'],
  ['a failed test', 'echo "36 passed, 0 failed"', 'echo "1999 passed, 1 failed"; exit 1', '2035 passed, 1 failed'],
])('%s fails the whole', (_what, compose, tests, lastLine) => {
  engineStarts();
  npm(compose, tests);
  expect(run()).toMatchObject({ status: 1, lastLine });
});
