import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';

// What the stack's shell scripts say about wrong settings, in a shell on this machine. Of the servers: environment.spec.ts.

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-script-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script, with a program in place of PostgreSQL's that prints its parameters. */
function run(
  program: string,
  script: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'docker-entrypoint.sh'), '#!/bin/sh\necho "$*"\n', { mode: 0o755 });
  const inFolder = script.replaceAll(/(?<![\w}])\/(?:var\/lib\/pgbackrest|tmp)\b/g, folder);
  const env = { PATH: `${bin}:${process.env.PATH}`, ...variables };
  const { stdout, stderr, status } = spawnSync(program, ['-c', inFolder, program, ...words], { env, encoding: 'utf8' });
  return { stdout, stderr, status };
}

test.each([
  ['', 0, 'postgres -cx\n', ''],
  ['on', 0, 'postgres -cx -csynchronous_standby_names=backup\n', ''],
  ['always', 1, '', 'BACKUP_SYNCHRONOUS: must be on or off, not “always”\n'],
])('the database with BACKUP_SYNCHRONOUS=%s', (BACKUP_SYNCHRONOUS, status, stdout, stderr) => {
  const { postgres } = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: -1 }).services;
  const script = postgres.entrypoint[2].replaceAll('$$', '$');
  expect(run('sh', script, ['postgres', '-cx'], { BACKUP_SYNCHRONOUS })).toEqual({ status, stdout, stderr });
});

const usage = 'Usage: docker compose run --rm restore [--to "2026-11-22 14:00"]';
test.each([
  [['serve'], 'BACKUP_TIME: must be a time such as 03:00, not 25:00'],
  [['restore', '--to'], usage],
  [['restore', '--to', '2026-11-22', '14:00'], usage],
  [['restore', '2026-11-22 14:00'], usage],
  [['restore', '--to', 'last Sinday'], 'is not a time like 2026-11-22 14:00 (UTC)'],
])('backup %j with BACKUP_TIME=25:00 fails and names the reason', (words, reason) => {
  const variables = { BACKUP_TIME: '25:00', PGBACKREST_REPO1_CIPHER_PASS: 'x', PGDATA: '/nowhere' };
  const { status, stderr } = run('bash', read('deploy/backup/backup.sh'), words, variables);
  expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
});
