import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '../../shell/server/test/eventually.ts';
import { runMigrations } from '../src/database/index.ts';
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
    },
  });
  await runMigrations({ DATABASE_URL: database.url });
  await eventually(async () => expect(await readiness()).toEqual({ status: 200, body: { status: 'ready' } }));
});

test('a backend ignores newer migrations of the database', async () => {
  await runMigrations({ DATABASE_URL: database.url });
  await database.query("INSERT INTO migrations (timestamp, name) VALUES (1, 'OfTheNextRelease1')");
  expect((await readiness()).status).toBe(200);
});
