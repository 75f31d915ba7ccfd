import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let folder: string;

/** Writes a fake program that shadows the real one. */
function writeProgram(file: string, script: string): void {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, `#!/bin/sh\n${script}\n`);
  chmodSync(place, 0o755);
}

/** Runs .ci/run with fake programs that log their calls; `tests` is the script of the fake npm. */
function run(tests: string, docker = 'true', variables = {}) {
  const calls = path.join(folder, 'calls');
  writeProgram('bin/npm', `echo "npm $*" >> ${calls}\n${tests}`);
  writeProgram('bin/nginx', 'true');
  writeProgram('bin/docker', docker);
  const env = { ...variables, PATH: `${folder}/bin:${process.env.PATH}` };
  const { status, stdout } = spawnSync(path.join(folder, 'repository/.ci/run'), { encoding: 'utf8', env });
  return {
    status,
    stdout,
    lastLine: stdout.trimEnd().split('\n').at(-1),
    calls: readFileSync(calls, 'utf8').trim().split('\n'),
  };
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-ci-'));
  mkdirSync(path.join(folder, 'repository/.ci'), { recursive: true });
  copyFileSync(path.join(root, '.ci/run'), path.join(folder, 'repository/.ci/run'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('.ci/run ends with the sum of all test counts', () => {
  expect(run('echo "1000 passed, 0 failed, 3 skipped"')).toMatchObject({
    status: 0,
    lastLine: '3000 passed, 0 failed, 9 skipped',
    calls: ['npm test', 'npm run test:all -- --rest', 'npm run test:compose'],
  });
});

test('.ci/run skips the compose tests without a Docker engine', () => {
  expect(run('echo "1000 passed, 0 failed"', 'false')).toMatchObject({ status: 0, lastLine: '2000 passed, 0 failed' });
});

test('.ci/run counts a non-zero exit code without a failed test as one failure', () => {
  expect(run('echo "7 passed, 0 failed"; exit 1')).toMatchObject({ status: 1, lastLine: '21 passed, 3 failed' });
});

test('.ci/run names all failed tests at its end', () => {
  const { stdout } = run('echo "Failed: a.spec.ts › $2"; echo "7 passed, 1 failed"; exit 1');
  expect(stdout.split('\n\n').at(-1)).toBe(
    'Failed: a.spec.ts › \nFailed: a.spec.ts › test:all\nFailed: a.spec.ts › test:compose\n21 passed, 3 failed\n',
  );
});

test('.ci/run leaves out the longest tests of the compose stack on a machine that needed 45 minutes for the others', () => {
  const { calls } = run('echo "1000 passed, 0 failed"', 'true', { SECONDS: '2700' });
  expect(calls.at(-1)).toBe('npm run test:compose -- main-journey|compose/(?!upgrade|swarm)');
});
