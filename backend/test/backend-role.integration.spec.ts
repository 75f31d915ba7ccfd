import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { runMigrations } from '../src/database/index.ts';
import { createBackendRole } from './support/backend-role.ts';
import { anAddress, privacyRequest, signUp } from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { startBackend, type TestBackend } from './support/test-backend.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

// In the order of a deployment: the role first, then the migrations, whose tables it gets by default privileges.
let database: TestDatabase;
let role: Awaited<ReturnType<typeof createBackendRole>>;
let backend: TestBackend;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  role = await createBackendRole(database);
  await runMigrations({ DATABASE_URL: database.url });
  backend = await startBackend({ DATABASE_URL: role.url, PRIVACY_REQUESTS: 'record' });
  client = new pg.Client(role.url);
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await backend?.stop();
  await role?.drop();
  await database?.drop();
});

test("the backend and the operator's command work with a role that owns nothing", async () => {
  const email = anAddress();
  const { status, body, cookie = '' } = await signUp(backend, { email });
  expect(status).toBe(201);
  const completed = await backend.request('PUT', `/api/waitlist/${body.entry.id}/complete`, { headers: { cookie } });
  expect(completed.status).toBe(200);
  const recorded = await backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) });
  expect(recorded.status).toBe(201);
  expect((await backend.request('GET', '/readyz')).status).toBe(200);
  for (const command of [['stats'], ['subscribers', 'show', email], ['subscribers', 'export'], ['audit-log']])
    expect(await runOperator(role, command)).toMatchObject({ exitCode: 0, errors: '' });
});

describe('the role of the backend cannot', () => {
  test.each([
    ['drop a table', 'DROP TABLE subscriber', '42501'],
    ['change a table', 'ALTER TABLE subscriber ADD COLUMN x text', '42501'],
    ['empty a table at once', 'TRUNCATE waitlist_entry', '42501'],
    ['create a table', 'CREATE TABLE x (id integer)', '42501'],
    ['create a schema', 'CREATE SCHEMA x', '42501'],
    ['create a role', 'CREATE ROLE x', '42501'],
    ['become another role', 'SET ROLE daybook', '42501'],
    ['read tables of other schemas', 'SELECT * FROM private.notes', '42501'],
    ['read password hashes', 'SELECT * FROM pg_authid', '42501'],
    ['read files of the server', `SELECT pg_read_file('/etc/hostname')`, '42501'],
    ['run programs on the server', `COPY (SELECT 1) TO PROGRAM 'cat'`, '42501'],
    ['disable a trigger', 'ALTER TABLE audit_log DISABLE TRIGGER ALL', '42501'],
    ['change the audit log', `UPDATE audit_log SET operator = 'Eve'`, '42501'],
    ['delete from the audit log', 'DELETE FROM audit_log', '42501'],
  ])('%s', async (_what, statement, code) => {
    await database.query('CREATE SCHEMA IF NOT EXISTS private');
    await database.query('CREATE TABLE IF NOT EXISTS private.notes (id integer)');
    await expect(client.query(statement)).rejects.toMatchObject({ code });
  });

  test('own anything', async () => {
    const { rows } = await client.query('SELECT relname FROM pg_class WHERE relowner = current_user::regrole');
    expect(rows).toEqual([]);
  });
});
