import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, newEmail, signUp, test } from '@daybook/testing/browser-test';
import { docker } from '@daybook/testing/compose';
import { Load } from '@daybook/testing/load';
import { remotes } from '@daybook/testing/workspaces';
import * as stack from './stack.ts';

// Serial: later tests restore backups that earlier ones took.
test.describe.configure({ mode: 'serial', timeout: 400_000 });

const longPoll = { timeout: stack.healthTimeout };
const databaseUsers = ['backend-a', 'backend-b', 'backup', 'postgres', ...remotes];
const repository = '/var/lib/pgbackrest/repository';

const backup = (...words: readonly string[]) => stack.exec('backup', 'backup', ...words);
const readLog = () => stack.compose('logs', 'backup');

async function metric(name: string): Promise<number> {
  const text = await stack.exec('backup', 'busybox', 'wget', '-q', '-O-', 'http://127.0.0.1:9187/metrics.txt');
  return Number(text.match(RegExp(`^daybook_backup_${name} (\\d+)$`, 'm'))?.[1]);
}

const chmod = (mode: 'a-w' | 'u+w', folder = `${repository}/backup`) =>
  stack.exec('backup', 'chmod', '--recursive', mode, folder);

async function restore(...words: readonly string[]): Promise<string> {
  await stack.compose('stop', ...databaseUsers);
  return (await stack.startCompose('run', '--rm', '-T', 'restore', ...words)).stderr as string;
}

/** Runs a command in a container that has the volumes of the database and its backups. */
const onVolumes = (script: string) => stack.compose('run', '--rm', '-T', '--entrypoint=sh', 'restore', '-c', script);

/** Signs up visitors until the database is killed; returns what was acknowledged. */
async function killUnderLoad(site: string, whileRunning: (load: Load) => Promise<void>) {
  const load = new Load(site, ['/'], { signupsPerSecond: 10 });
  try {
    await whileRunning(load);
    await stack.compose('kill', 'postgres');
  } finally {
    await load.stop();
  }
  await stack.compose('rm', '--force', '--stop', 'migrate', ...databaseUsers);
  await docker('volume', 'rm', `${stack.project}_database`);
  return load;
}

const storedOf = async ({ emailPrefix }: Load) =>
  Number(await stack.query(`SELECT count(*) FROM subscriber WHERE email LIKE '${emailPrefix}%'`));

const untilSignups = (load: Load, number: number) =>
  expect.poll(() => load.acknowledged.length, longPoll).toBeGreaterThan(number);

const switchWal = () => stack.query('SELECT pg_walfile_name(pg_switch_wal())');
const getSegment = (segment: string) => backup('archive-get', segment, '/tmp/segment');

test.beforeAll('the first backup is complete', async () => {
  await stack.up();
  await expect.poll(() => metric('last_success_timestamp_seconds'), longPoll).toBeGreaterThan(0);
});

test('the repository alone restores a destroyed database to the last WAL segment', async ({ baseURL }) => {
  let archived = 0;
  const load = await killUnderLoad(baseURL ?? '', async (running) => {
    await untilSignups(running, 20);
    archived = running.acknowledged.length;
    const segment = await switchWal();
    await expect(() => getSegment(segment)).toPass(longPoll);
    await untilSignups(running, archived + 20);
  });
  await onVolumes('rm -rf /var/lib/pgbackrest/received');
  expect(await restore()).toContain('Restored. Now: docker compose up');
  await stack.up();
  expect(await storedOf(load)).toBeGreaterThanOrEqual(archived);
});

test('with BACKUP_SYNCHRONOUS no acknowledged signup is lost with the database', async ({ baseURL }) => {
  stack.changeSettings({ BACKUP_SYNCHRONOUS: 'on' });
  await stack.up();
  await expect.poll(() => stack.query('SELECT sync_state FROM pg_stat_replication'), longPoll).toBe('sync');
  const load = await killUnderLoad(baseURL ?? '', (running) => untilSignups(running, 50));
  await restore();
  stack.changeSettings({ BACKUP_SYNCHRONOUS: '' });
  await stack.up();
  expect(await storedOf(load)).toBeGreaterThanOrEqual(load.acknowledged.length);
});

test('a backup of the first migration is restored to a moment, then to a later one', async ({ page }) => {
  const [before, after] = [newEmail('before'), newEmail('after')];
  const isStored = async (email: string) =>
    (await stack.query(`SELECT count(*) FROM subscriber WHERE email = '${email}'`)) === '1';
  const countMigrations = () => stack.query('SELECT count(*) FROM migrations');
  const now = async () => Number(await stack.query('SELECT extract(epoch FROM clock_timestamp())'));
  const migrations = await countMigrations();

  await stack.compose('stop', 'backend-a', 'backend-b');
  const undo = `
    import { readFileSync } from 'node:fs';
    import { DataSource } from 'typeorm';
    import { databaseOptions } from '/daybook/backend/build/database/index.js';
    const DATABASE_URL = readFileSync(process.env.DATABASE_URL_FILE, 'utf8');
    const dataSource = await new DataSource(databaseOptions({ DATABASE_URL })).initialize();
    for (let undone = 0; undone < ${Number(migrations) - 1}; undone += 1) await dataSource.undoLastMigration();
    await dataSource.destroy();`;
  await stack.compose('run', '--rm', '-T', 'migrate', 'node', '--input-type=module', '--eval', undo);
  await stack.query(`INSERT INTO subscriber (email) VALUES ('${before}')`);
  expect(await countMigrations()).toBe('1');
  await backup('now', 'full');
  const nextSecond = async () => {
    const second = Math.ceil(await now());
    await expect.poll(now).toBeGreaterThan(second);
    return new Date(second * 1_000).toISOString();
  };
  const moment = await nextSecond();
  await stack.up();
  await signUp(page, after);
  const later = await nextSecond();
  await signUp(page, newEmail('last'));

  await expect(stack.compose('run', '--rm', '-T', 'restore')).rejects.toThrow('postgres is running. Stop it first');
  await stack.compose('stop', 'backend-a', 'backend-b', 'backup', 'postgres');
  const rejected = await onVolumes(`for time in 2099-01-01 2020-01-01 "$(date --iso-8601=seconds)"; do
    sleep 1; backup restore --to "$time" 2>&1; done; backup restore --to 2026-11-22 14:00 2>&1; ls "$PGDATA"*/PG_VERSION`);
  for (const reason of [
    'Usage: docker compose run --rm restore',
    'is in the future',
    'the oldest backup is of',
    'Nothing was changed: the restored database',
  ])
    expect(rejected).toContain(reason);
  expect(rejected.match(/^.*PG_VERSION$/gm)).toHaveLength(1);

  expect(await restore('--to', moment)).toContain('The former data is in the volume');
  await stack.up();
  expect([await isStored(before), await isStored(after)]).toEqual([true, false]);
  // The backup is of a time before the first release: the containers have published theirs again.
  const active = await stack.query('SELECT DISTINCT remote FROM releases.state ORDER BY 1');
  expect(active.split('\n')).toEqual([...remotes].sort());
  await backup('now');
  // On the former timeline, which the first restore left before that moment.
  await restore('--to', later);
  await stack.up();
  await backup('trial');
  expect([await isStored(before), await isStored(after)]).toEqual([true, true]);
  expect(await countMigrations()).toBe(migrations);
  await signUp(page, newEmail('restored'));
});

test('signups continue while the repository cannot be written; WAL is stored later', async ({ page }) => {
  await chmod('a-w', repository);
  await signUp(page, newEmail('unwritable'));
  const segment = await switchWal();
  // Which segment or folder it names depends on what was waiting.
  await expect.poll(readLog, longPoll).toContain('archive-push command encountered error');
  const stopped = await metric('wal_archived_timestamp_seconds');
  await signUp(page, newEmail('unwritable'));
  await expect(getSegment(segment)).rejects.toThrow();
  expect(await metric('wal_archived_timestamp_seconds')).toBe(stopped);

  await chmod('u+w', repository);
  await expect.poll(() => metric('wal_archived_timestamp_seconds'), longPoll).toBeGreaterThan(stopped);
  // Segments that waited before this one are stored first.
  await expect(() => getSegment(segment)).toPass(longPoll);
});

test('the trial restore has all rows, and detects a missing table and a damaged backup', async () => {
  // A backup that ends meanwhile is later than what the trial compares with.
  await Promise.all([backup('trial'), backup('now')]);
  await expect.poll(() => metric('trial_restore_success'), longPoll).toBe(1);
  await stack.query('ALTER TABLE emergency_notice RENAME TO lost; ALTER TABLE releases.file RENAME TO lost');
  const missing = 'lacks tables that it had: emergency_notice releases.file';
  await expect(backup('trial')).rejects.toThrow(missing);
  await expect.poll(() => metric('trial_restore_success'), longPoll).toBe(0);
  // Not forgotten with the next backup.
  await backup('now');
  await expect(backup('trial')).rejects.toThrow(missing);
  await stack.query('ALTER TABLE lost RENAME TO emergency_notice; ALTER TABLE releases.lost RENAME TO file');
  await backup('trial');
  const find = `file=$(find ${repository}/backup/daybook/latest/ -path '*bundle*' -type f | head -n 1)`;
  const inBundle = (script: string) => stack.exec('backup', 'sh', '-c', `${find}; ${script}`);
  await inBundle('cp "$file" /tmp/intact; printf damaged | dd of="$file" bs=1 seek=100 conv=notrunc');
  await expect(backup('trial')).rejects.toThrow('The trial restore failed');
  await inBundle('cp /tmp/intact "$file"');
});

test('a failed scheduled backup makes the service unhealthy, until one succeeds', async () => {
  await chmod('a-w');
  await stack.exec('backup', 'touch', '/var/lib/pgbackrest/status/due');
  // After a failed backup, the next attempt takes ten minutes; a start tries at once.
  await stack.compose('restart', 'backup');
  await stack.expectHealth('backup').toBe('unhealthy');
  await chmod('u+w');
  await backup('now');
  await stack.expectHealth('backup').toBe('healthy');
});

test('with another passphrase, the documented commands begin a new repository', async () => {
  writeFileSync(path.join(stack.folder, 'secrets/backup-passphrase'), randomUUID());
  await stack.compose('run', '--rm', '-T', 'secrets');
  await stack.compose('restart', 'backup');
  const health = async () => (await stack.inspect('backup')).State.Health.Status;
  await expect.poll(health, longPoll).not.toBe('starting');
  expect(await health()).toBe('unhealthy');
  expect(await readLog()).toContain('backup-passphrase is not the one that the repository was made with');
  await stack.runDocumented('A lost backup passphrase');
  await expect.poll(() => backup('info'), longPoll).toMatch(/^ +full backup: /m);
  await stack.expectHealth('backup').toBe('healthy');
});
