import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { databaseOptions, runMigrations } from '../src/database/index.ts';
import * as migrations from '../src/database/migrations/index.ts';
import { EmergencyNotice } from '../src/emergency-notice/index.ts';
import { AuditLogEntry } from '../src/operator/audit-log.entity.ts';
import { ForgottenCount } from '../src/operator/forgotten-count.entity.ts';
import { OutboxEvent } from '../src/outbox/index.ts';
import { PrivacyRequest } from '../src/privacy-requests/index.ts';
import { Subscriber, WaitlistEntry } from '../src/waitlist/index.ts';
import { createBackendRole } from './support/backend-role.ts';
import { completionNotice, emergencyNotice, privacyRequest, signUp } from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { startBackend, type TestBackend } from './support/test-backend.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

/** Ordered by the times at the end of their names. */
const all = Object.values(migrations)
  .map(({ name }) => name)
  .toSorted((one, other) => Number(one.slice(-13)) - Number(other.slice(-13)));

let database: TestDatabase;

describe('the migrations', () => {
  beforeEach(async () => {
    database = await createTestDatabase({ migrated: false });
  });
  afterEach(() => database?.drop());

  test('run once each, also by concurrent migrators', async () => {
    const ran = await Promise.all(Array.from({ length: 4 }, () => runMigrations({ DATABASE_URL: database.url })));
    expect(ran.flat()).toEqual(all);
    expect(await runMigrations({ DATABASE_URL: database.url })).toEqual([]);
  });

  test('make every column of the entities', async () => {
    const entities = [
      Subscriber,
      WaitlistEntry,
      EmergencyNotice,
      PrivacyRequest,
      OutboxEvent,
      ForgottenCount,
      AuditLogEntry,
    ];
    await runMigrations({ DATABASE_URL: database.url });
    const options = { ...databaseOptions({ DATABASE_URL: database.url }), entities };
    const dataSource = await new DataSource(options).initialize();
    for (const entity of entities) expect(await dataSource.manager.find<object>(entity)).toEqual([]);
    await dataSource.destroy();
  });

  test('can be reverted, and run again', async () => {
    await runMigrations({ DATABASE_URL: database.url });
    const dataSource = await new DataSource(databaseOptions({ DATABASE_URL: database.url })).initialize();
    for (const _ of all) await dataSource.undoLastMigration();
    await dataSource.destroy();
    expect(await runMigrations({ DATABASE_URL: database.url })).toEqual(all);
  });
});

// In the order of a deployment: the role first, then the migrations, whose tables it gets by default privileges.
describe('in a migrated database', () => {
  let role: Awaited<ReturnType<typeof createBackendRole>>;
  let backend: TestBackend;
  const clients: Record<string, pg.Client> = {};

  const readiness = async () => {
    const { status, body } = await backend.request<{ reason?: string }>('GET', '/readyz');
    return { status, reason: body.reason };
  };
  const ready = { status: 200, reason: undefined };

  beforeAll(async () => {
    database = await createTestDatabase({ migrated: false });
    role = await createBackendRole(database);
    backend = await startBackend({ DATABASE_URL: role.url, PRIVACY_REQUESTS: 'record', DATABASE_POOL_SIZE: 1 });
    const reason = expect.stringMatching(/^The database lacks migrations: CreateTables\d+/);
    expect(await readiness()).toEqual({ status: 503, reason });
    await runMigrations({ DATABASE_URL: database.url });
    for (const [name, url] of [
      ['backend', role.url],
      ['shell', database.url],
    ] as const) {
      clients[name] = new pg.Client(url);
      await clients[name].connect();
    }
    // Without its password, which all databases of the test server share.
    await clients.shell?.query('SET SESSION AUTHORIZATION shell');
    await clients.shell?.query(`INSERT INTO releases.change (remote, revision, action, to_version, why, by)
      VALUES ('mf-legal', 1, 'activate', '1.0.0', '', 'Ann')`);
    await database.query('CREATE SCHEMA private CREATE TABLE notes (id integer)');
  });

  afterAll(async () => {
    for (const client of Object.values(clients)) await client.end();
    await backend?.stop();
    await role?.drop();
    await database?.drop();
  });

  /** Sends every call with a statement of its own, and returns the statuses. */
  async function callAll() {
    const { body, cookie = '' } = await signUp(backend);
    const { id, email } = body.entry;
    const entry = `/api/waitlist/${id}`;
    const responses = [
      await backend.request('PUT', `${entry}/step/2`),
      await backend.request('PUT', `${entry}/complete`),
      await backend.request('PUT', `${entry}/offers`, { json: { selectedOffers: [] } }),
      await backend.request('POST', `${entry}/notify-complete`, { json: completionNotice() }),
      await backend.request('GET', `/api/waitlist/by-email?email=${email}`, { headers: { cookie } }),
      await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice() }),
      await backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) }),
    ];
    return responses.map(({ status }) => status);
  }
  const succeeded = [200, 200, 200, 200, 200, 200, 201];

  test('the backend and the operator’s command work with a role that owns nothing', async () => {
    expect(await readiness()).toEqual(ready);
    expect(await callAll()).toEqual(succeeded);
    const { email } = (await signUp(backend)).body.entry;
    for (const command of [['stats'], ['subscribers', 'show', email], ['subscribers', 'export'], ['audit-log']])
      expect(await runOperator(role, command)).toMatchObject({ exitCode: 0, errors: '' });
    const owned = 'SELECT relname FROM pg_class WHERE relowner = current_user::regrole';
    for (const client of Object.values(clients)) expect((await client.query(owned)).rows).toEqual([]);
  });

  test('what a later migration adds while the backend runs breaks no call', async () => {
    for (const table of ['subscriber', 'waitlist_entry', 'emergency_notice', 'privacy_request', 'outbox_event'])
      await database.query(`ALTER TABLE ${table} ADD COLUMN added_later integer`);
    await database.query("INSERT INTO migrations (timestamp, name) VALUES (1, 'OfTheNextRelease1')");
    expect(await callAll()).toEqual(succeeded);
    expect(await readiness()).toEqual(ready);
  });

  test('a backend is not ready while its newest migration is missing', async () => {
    const newest = 'CreateReleases1795626000000';
    await database.query(`UPDATE migrations SET name = 'away' WHERE name = '${newest}'`);
    expect(await readiness()).toEqual({ status: 503, reason: `The database lacks migrations: ${newest}.` });
    await database.query(`UPDATE migrations SET name = '${newest}' WHERE name = 'away'`);
    expect(await readiness()).toEqual(ready);
  });

  describe('a backend is not ready while a signup would fail', () => {
    test.each([
      [
        'a table is gone',
        'ALTER TABLE waitlist_entry RENAME TO away',
        'ALTER TABLE away RENAME TO waitlist_entry',
        'relation "waitlist_entry" does not exist',
      ],
      [
        'the table of its event is gone',
        'ALTER TABLE outbox_event RENAME TO away',
        'ALTER TABLE away RENAME TO outbox_event',
        'relation "outbox_event" does not exist',
      ],
      [
        'a column is gone',
        'ALTER TABLE subscriber RENAME email TO away',
        'ALTER TABLE subscriber RENAME away TO email',
        'column "email"',
      ],
      [
        'subscribers are no longer unique',
        'DROP INDEX subscriber_email_key',
        undefined,
        'no unique or exclusion constraint',
      ],
      [
        'its role may not insert',
        'REVOKE INSERT ON waitlist_entry FROM :role',
        'GRANT INSERT ON waitlist_entry TO :role',
        'permission denied for table waitlist_entry',
      ],
    ])('because %s', async (_what, change, back, reason) => {
      const [{ definition = '' } = {}] = await database.query<{ definition: string }>(
        "SELECT pg_get_indexdef('subscriber_email_key'::regclass) AS definition",
      );
      const run = (statement: string) => database.query(statement.replace(':role', role.name));
      await run(change);
      expect(await readiness()).toEqual({
        status: 503,
        reason: expect.stringMatching(`^A signup would fail: .*${reason}`),
      });
      const { status, body } = await signUp(backend);
      expect({ status, body }).toEqual({
        status: 500,
        body: { statusCode: 500, message: 'Something went wrong. Please try again.', error: 'INTERNAL' },
      });
      await run(back ?? definition);
      expect(await readiness()).toEqual(ready);
    });

    test('because the database is read-only, as a replica is after a failover', async () => {
      await database.query(`ALTER ROLE ${role.name} SET default_transaction_read_only = on`);
      const readOnly = await startBackend({ DATABASE_URL: role.url });
      const { status, body } = await readOnly.request('GET', '/readyz');
      await readOnly.stop();
      await database.query(`ALTER ROLE ${role.name} RESET default_transaction_read_only`);
      expect({ status, body }).toMatchObject({ status: 503, body: { reason: 'The database is read-only.' } });
    });
  });

  describe('the role of the backend cannot', () => {
    test.each([
      ['drop a table', 'DROP TABLE subscriber'],
      ['change a table', 'ALTER TABLE subscriber ADD COLUMN x text'],
      ['empty a table at once', 'TRUNCATE waitlist_entry'],
      ['create a table', 'CREATE TABLE x (id integer)'],
      ['create a schema', 'CREATE SCHEMA x'],
      ['create a role', 'CREATE ROLE x'],
      ['become another role', 'SET ROLE daybook'],
      ['read tables of other schemas', 'SELECT * FROM private.notes'],
      ['read releases', 'SELECT * FROM releases.change'],
      ['read password hashes', 'SELECT * FROM pg_authid'],
      ['read files of the server', `SELECT pg_read_file('/etc/hostname')`],
      ['run programs on the server', `COPY (SELECT 1) TO PROGRAM 'cat'`],
      ['disable a trigger', 'ALTER TABLE audit_log DISABLE TRIGGER ALL'],
      ['change the audit log', `UPDATE audit_log SET operator = 'Eve'`],
      ['delete from the audit log', 'DELETE FROM audit_log'],
    ])('%s', async (_what, statement) => {
      await expect(clients.backend?.query(statement)).rejects.toMatchObject({ code: '42501' });
    });
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
  });

  describe('the role of the shell server cannot', () => {
    test.each([
      ['read subscribers', 'SELECT * FROM subscriber'],
      ['read events with addresses', 'SELECT * FROM outbox_event'],
      ['read the audit log', 'SELECT * FROM audit_log'],
      ['change a change of a release', `UPDATE releases.change SET by = 'Eve'`],
      ['empty the changes of releases', 'TRUNCATE releases.change'],
      ['change a table', 'ALTER TABLE releases.change ADD COLUMN x text'],
      ['create a table', 'CREATE TABLE releases.x (id integer)'],
      ['become the owner', 'SET ROLE daybook'],
      ['read files of the server', `SELECT pg_read_file('/etc/hostname')`],
    ])('%s', async (_what, statement) => {
      await expect(clients.shell?.query(statement)).rejects.toMatchObject({ code: '42501' });
    });
  });

  test('of two changes of a release with the same revision the second fails', async () => {
    const change = `INSERT INTO releases.change (remote, revision, action, to_version, why, by)
      VALUES ('mf-legal', 1, 'rollback', '0.9.0', '', 'Bob')`;
    await expect(clients.shell?.query(change)).rejects.toMatchObject({ code: '23505' });
  });

  test('the files of a release go with it', async () => {
    await database.query(
      `INSERT INTO releases.release (remote, version, description) VALUES ('mf-legal', '1.0.0', '{}')`,
    );
    await database.query(`INSERT INTO releases.release_file VALUES ('mf-legal', '1.0.0', 'a.js', '\\x00ff')`);
    await clients.shell?.query('DELETE FROM releases.release');
    expect(await database.query('SELECT * FROM releases.release_file')).toEqual([]);
  });

  test.each(['step = 0', 'step = 3', "network_address = '10.1.2.3/32'", "notice_source = 'alone'", 'id = -1'])(
    'an entry cannot have %s',
    async (change) => {
      const { id } = (await signUp(backend)).body.entry;
      const update = database.query(`UPDATE waitlist_entry SET ${change} WHERE id = $1`, [id]);
      await expect(update).rejects.toThrow('violates check constraint');
    },
  );
});
