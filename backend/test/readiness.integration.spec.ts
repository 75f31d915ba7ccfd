import { eventually } from '@daybook/testing/eventually';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runMigrations } from '../src/database/index.ts';
import { createBackendRole } from './support/backend-role.ts';
import { signUp } from './support/factories.ts';
import { startBackend, type TestBackend } from './support/test-backend.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

let database: TestDatabase;
let backend: TestBackend;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  backend = await startBackend({ DATABASE_URL: database.url });
});

afterEach(async () => {
  await backend?.stop();
  await database?.drop();
});

const readiness = async () => {
  const { status, body } = await backend.request('GET', '/readyz');
  return { status, body };
};

test('a backend with pending migrations is not ready, and names them', async () => {
  expect(await readiness()).toEqual({
    status: 503,
    body: {
      status: 'not ready',
      reason: expect.stringMatching(/^The database lacks migrations: CreateTables\d+/),
      version: 'unknown',
      revision: 'unknown',
    },
  });
  await runMigrations({ DATABASE_URL: database.url });
  await eventually(async () => expect(await readiness()).toMatchObject({ status: 200, body: { status: 'ready' } }));
});

test('a backend ignores newer migrations of the database', async () => {
  await runMigrations({ DATABASE_URL: database.url });
  await database.query("INSERT INTO migrations (timestamp, name) VALUES (1, 'OfTheNextRelease1')");
  expect((await readiness()).status).toBe(200);
});

describe('a backend is not ready while a signup would fail', () => {
  test.each([
    ['a table is gone', 'DROP TABLE waitlist_entry', 'relation "waitlist_entry" does not exist'],
    ['the table of its event is gone', 'DROP TABLE outbox_event', 'relation "outbox_event" does not exist'],
    ['a column is gone', 'ALTER TABLE subscriber DROP COLUMN email', 'column "email"'],
    ['subscribers are no longer unique', 'DROP INDEX subscriber_email_key', 'no unique or exclusion constraint'],
  ])('because %s', async (_what, change, reason) => {
    await runMigrations({ DATABASE_URL: database.url });
    expect((await readiness()).status).toBe(200);
    await database.query(change);
    expect(await readiness()).toMatchObject({
      status: 503,
      body: { reason: expect.stringMatching(`^A signup would fail: .*${reason}`) },
    });
    expect((await signUp(backend)).status).toBe(500);
  });

  test('because the database is read-only, as a replica is after a failover', async () => {
    await runMigrations({ DATABASE_URL: database.url });
    await database.query(`
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$
    `);
    const readOnly = await startBackend({ DATABASE_URL: database.url });
    const { status, body } = await readOnly.request('GET', '/readyz');
    await readOnly.stop();
    expect({ status, body }).toMatchObject({ status: 503, body: { reason: 'The database is read-only.' } });
  });

  test('because its role may not insert', async () => {
    await runMigrations({ DATABASE_URL: database.url });
    const role = await createBackendRole(database);
    const own = await startBackend({ DATABASE_URL: role.url });
    expect((await own.request('GET', '/readyz')).status).toBe(200);
    await database.query(`REVOKE INSERT ON waitlist_entry FROM ${role.name}`);
    const { status, body } = await own.request('GET', '/readyz');
    await own.stop();
    await role.drop();
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { reason: 'A signup would fail: permission denied for table waitlist_entry.' },
    });
  });
});
