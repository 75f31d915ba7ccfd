import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackendRole, createShellRole } from '@daybook/testing/database-roles';
import { startPostgres } from '@daybook/testing/postgres';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { Store } from '../../shell/server/releases/store.ts';
import { runMigrations } from '../src/database/index.ts';
import * as migrations from '../src/database/migrations/index.ts';
import { RetentionService } from '../src/retention/retention.service.ts';
import { runOperator } from './support/operator.ts';
import { findPgBouncer, startPgBouncer } from './support/pgbouncer.ts';
import { TestBackend } from './support/test-backend.ts';

const program = findPgBouncer();
if (!program) console.info('PgBouncer is not installed: skipping the tests behind it. Debian’s package: pgbouncer.');

const started = new AsyncDisposableStack();
let direct: pg.Client;
/** URLs by way of PgBouncer. */
let [owner, backendUrl, shellUrl] = ['', '', ''];

beforeAll(async () => {
  if (!program) return;
  const folder = join(tmpdir(), `daybook-pooler-test-${randomUUID()}`);
  const postgres = await startPostgres({ folder, persistent: false, settings: { fsync: 'off' } });
  started.defer(() => postgres.stop());
  const roles = [postgres.url, await createBackendRole(postgres.url), await createShellRole(postgres.url)];
  [owner = '', backendUrl = '', shellUrl = ''] = await startPgBouncer(program, started, roles, {
    default_pool_size: '4',
  });
  direct = new pg.Client(postgres.url);
  await direct.connect();
  started.defer(() => direct.end());
});
afterAll(() => started.disposeAsync());

(program ? test : test.skip)('migrations, backend, operator’s command and releases work behind PgBouncer', async () => {
  const migrated = await Promise.all([1, 2].map(() => runMigrations({ DATABASE_URL: owner })));
  expect(migrated.map(({ length }) => length).sort()).toEqual([0, Object.keys(migrations).length]);

  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const backend = await new TestBackend().start({ DATABASE_URL: backendUrl, PRIVACY_REQUESTS: 'record' });
  started.defer(() => backend.stop());
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/^A pooler is in front of the database: /)]]);
  expect(await backend.request('GET', '/readyz')).toMatchObject({ status: 200 });
  const signups = await Promise.all(Array.from({ length: 30 }, () => backend.signUp()));
  expect(new Set(signups.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await backend.failingCalls()).toEqual([]);
  await direct.query("UPDATE waitlist_entry SET created_at = '2020-01-01'");
  expect(await backend.app.get(RetentionService).removeDue()).toMatchObject({ unfinishedEntries: 30 });

  for (const command of [
    ['subscribers', 'export'],
    ['events', 'replay', '--dead'],
  ])
    expect(await runOperator({ url: backendUrl }, command)).toMatchObject({ exitCode: 0, errors: '' });

  const store = new Store(shellUrl);
  const release = { remote: 'mf-legal', version: '1', manifest: '{}' };
  const stored = store.change(async (change) => {
    await change.lock();
    return change.insertRelease(release, [{ hash: 'x', content: Buffer.from('x') }]);
  });
  expect(await stored).toBe(true);
  expect(await store.blob('x')).toEqual(Buffer.from('x'));
  await store.close();

  // Connections of the pooler last: a lock or a setting of a session would, too.
  const locks = "SELECT FROM pg_locks WHERE locktype = 'advisory'";
  expect((await direct.query(locks)).rowCount).toBe(0);
});
