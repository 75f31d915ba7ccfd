import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@daybook/runner/postgres';
import { eventually } from '@daybook/testing/eventually';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runMigrations } from '../src/database/index.ts';
import { runOperator } from './support/operator.ts';
import { TestBackend } from './support/test-backend.ts';

const disk = mkdtempSync(join(tmpdir(), 'daybook-disk-'));
const filler = join(disk, 'filler');

/** Mounts a small disk; only root can, and not in every container. */
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const isMounted = mount();
if (!isMounted) console.info('This user cannot mount a disk: skipping the test of a full one.');
const testOfDisk = isMounted ? test : test.skip;

const started = new AsyncDisposableStack();
let url = '';

beforeAll(async () => {
  if (!isMounted) return;
  const settings = { fsync: 'off', min_wal_size: '32MB', max_wal_size: '32MB' };
  const postgres = await startPostgres({ folder: join(disk, 'data'), persistent: true, settings });
  started.defer(() => postgres.stop());
  ({ url } = postgres);
  await runMigrations({ DATABASE_URL: url });
});

afterAll(async () => {
  rmSync(filler, { force: true });
  await started.disposeAsync();
  if (isMounted) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

testOfDisk('a full disk is named by readiness and the operator’s command, and both recover by themselves', async () => {
  const backend = await new TestBackend().start({ DATABASE_URL: url });
  started.defer(() => backend.stop());
  const readiness = async () => {
    const { status, body } = await backend.request<{ reason?: string }>('GET', '/readyz');
    return { status, reason: body.reason };
  };
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize));
  // The pages of the tables have room for some.
  let response = await backend.signUp();
  for (let count = 0; response.status === 201 && count < 2_000; count += 1) response = await backend.signUp();
  expect(response).toMatchObject({ status: 503, body: { error: 'DATABASE_UNAVAILABLE' } });
  expect(await readiness()).toEqual({ status: 503, reason: 'The database has no disk space left.' });
  const failing = {
    exitCode: 1,
    errors: expect.stringMatching(/^The database at DATABASE_URL has no disk space left: .+\n$/),
  };
  await eventually(async () =>
    expect(await runOperator({ url }, ['events', 'replay', '--dead', '--by', 'Ann'])).toMatchObject(failing),
  );
  rmSync(filler);
  expect(await readiness()).toEqual({ status: 200, reason: undefined });
  expect((await backend.signUp()).status).toBe(201);
});
