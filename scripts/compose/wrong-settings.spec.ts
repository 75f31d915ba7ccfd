import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

// What the stack's shell scripts say about wrong settings. Of the servers: environment.spec.ts.

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const PATH = process.env.PATH;

test.each([
  ['', 0, 'postgres -cx\n', ''],
  ['on', 0, 'postgres -cx -csynchronous_standby_names=backup\n', ''],
  ['always', 1, '', 'BACKUP_SYNCHRONOUS: must be on or off, not “always”\n'],
])('the database with BACKUP_SYNCHRONOUS=%s', (BACKUP_SYNCHRONOUS, status, stdout, stderr) => {
  const { postgres } = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: -1 }).services;
  const script = postgres.entrypoint[2].replaceAll('$$', '$').replace('exec docker-entrypoint.sh', 'echo');
  const env = { PATH, BACKUP_SYNCHRONOUS };
  const result = spawnSync('sh', ['-c', script, 'sh', 'postgres', '-cx'], { env, encoding: 'utf8' });
  expect(result).toMatchObject({ status, stdout, stderr });
});

const usage = 'Usage: docker compose run --rm restore [--to "2026-11-22 14:00"]';
test.each([
  [['serve'], 'BACKUP_TIME: must be a time such as 03:00, not 25:00'],
  [['restore', '--to', '2026-11-22', '14:00'], usage],
  [['restore', '--at', '2026-11-22 14:00'], usage],
  [['restore', '--to', 'last Sinday'], 'is not a time like 2026-11-22 14:00 (UTC)'],
])('backup %j with BACKUP_TIME=25:00 fails and names the reason', (words, reason) => {
  const folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-backup-'));
  const script = read('deploy/backup/backup.sh').replaceAll(/(?<!\w)\/(?:var\/lib\/pgbackrest|tmp)\b/g, folder.path);
  const env = { PATH, BACKUP_TIME: '25:00', PGBACKREST_REPO1_CIPHER_PASS: 'x', PGDATA: '/nowhere' };
  const { status, stderr } = spawnSync('bash', ['-c', script, 'backup', ...words], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
  folder.remove();
  expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
});
