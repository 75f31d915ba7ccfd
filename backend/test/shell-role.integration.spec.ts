import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createBackendRole } from './support/backend-role.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

let database: TestDatabase;
let backendRole: Awaited<ReturnType<typeof createBackendRole>>;
let shell: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  backendRole = await createBackendRole(database);
  shell = new pg.Client(database.url);
  await shell.connect();
  // Without its password, which all databases of the test server share.
  await shell.query('SET SESSION AUTHORIZATION shell');
  await shell.query(`INSERT INTO releases.change (remote, revision, action, to_version, why, by)
    VALUES ('mf-legal', 1, 'activate', '1.0.0', '', 'Ann')`);
});

afterAll(async () => {
  await shell?.end();
  await backendRole?.drop();
  await database?.drop();
});

test('the role of the shell server has exactly the privileges that its tables need', async () => {
  const granted = await database.query<{ table: string; privileges: string }>(`
    SELECT oid::regclass::text AS table, string_agg(privilege_type, ' ' ORDER BY privilege_type) AS privileges
    FROM pg_class, aclexplode(relacl) WHERE grantee = 'shell'::regrole GROUP BY oid ORDER BY 1
  `);
  expect(Object.fromEntries(granted.map(({ table, privileges }) => [table, privileges]))).toEqual({
    'releases.change': 'INSERT SELECT',
    'releases.count': 'DELETE INSERT SELECT UPDATE',
    'releases.newest_signature': 'INSERT SELECT UPDATE',
    'releases.origin_report': 'INSERT SELECT UPDATE',
    'releases.release': 'DELETE INSERT SELECT UPDATE',
    'releases.release_file': 'DELETE INSERT SELECT',
    'releases.session': 'DELETE INSERT SELECT UPDATE',
    'releases.sign_in': 'INSERT SELECT',
  });
  const owned = 'SELECT relname FROM pg_class WHERE relowner = current_user::regrole';
  expect((await shell.query(owned)).rows).toEqual([]);
});

describe('the role of the shell server cannot', () => {
  test.each([
    ['read subscribers', 'SELECT * FROM subscriber'],
    ['read events with addresses', 'SELECT * FROM outbox_event'],
    ['read the audit log', 'SELECT * FROM audit_log'],
    ['add a subscriber', `INSERT INTO subscriber (email) VALUES ('ada@example.com')`],
    ['change a change of a release', `UPDATE releases.change SET by = 'Eve'`],
    ['delete changes of releases', 'DELETE FROM releases.change'],
    ['empty the changes of releases', 'TRUNCATE releases.change'],
    ['delete sign-ins', 'DELETE FROM releases.sign_in'],
    ['forget the newest signatures', 'DELETE FROM releases.newest_signature'],
    ['change the content of a release', `UPDATE releases.release_file SET content = ''`],
    ['change a table', 'ALTER TABLE releases.change ADD COLUMN x text'],
    ['create a table', 'CREATE TABLE releases.x (id integer)'],
    ['become the owner', 'SET ROLE daybook'],
    ['read files of the server', `SELECT pg_read_file('/etc/hostname')`],
  ])('%s', async (_what, statement) => {
    await expect(shell.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

test('of two changes with the same revision the second fails', async () => {
  const change = `INSERT INTO releases.change (remote, revision, action, to_version, why, by)
    VALUES ('mf-legal', 1, 'rollback', '0.9.0', '', 'Bob')`;
  await expect(shell.query(change)).rejects.toMatchObject({ code: '23505' });
});

test('the files of a release go with it', async () => {
  await shell.query(`INSERT INTO releases.release (remote, version, description) VALUES ('mf-legal', '1.0.0', '{}')`);
  await shell.query(`INSERT INTO releases.release_file VALUES ('mf-legal', '1.0.0', 'a.js', '\\x00ff')`);
  await shell.query('DELETE FROM releases.release');
  expect((await shell.query('SELECT * FROM releases.release_file')).rows).toEqual([]);
});

test('the role of the backend cannot read releases', async () => {
  const backend = new pg.Client(backendRole.url);
  await backend.connect();
  try {
    await expect(backend.query('SELECT * FROM releases.change')).rejects.toMatchObject({ code: '42501' });
  } finally {
    await backend.end();
  }
});
