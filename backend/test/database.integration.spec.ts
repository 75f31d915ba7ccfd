import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { databaseOptions, runMigrations } from '../src/database/index.ts';
import * as migrations from '../src/database/migrations/index.ts';
import { entities } from '../src/entities.ts';
import { runOperator } from './support/operator.ts';
import { TestBackend } from './support/test-backend.ts';
import { TestDatabase } from './support/test-database.ts';

/** In the order of the times in their names. */
const all = Object.keys(migrations).sort((one, other) => one.slice(-13).localeCompare(other.slice(-13)));

/** Settings of a database that must not matter. */
const unusualSettings = [
  "DateStyle = 'German'",
  "IntervalStyle = 'sql_standard'",
  "TimeZone = 'Asia/Kolkata'",
  "search_path = ''",
  "bytea_output = 'escape'",
  "client_encoding = 'LATIN1'",
  'standard_conforming_strings = off',
  'extra_float_digits = -15',
  "default_transaction_isolation = 'serializable'",
];

const database = new TestDatabase();

test('each migration runs once and can be reverted, and the entities have its columns', async () => {
  await database.create({ migrated: false });
  const migrate = () => runMigrations({ DATABASE_URL: database.url });
  expect((await Promise.all(Array.from({ length: 4 }, migrate))).flat()).toEqual(all);
  expect(await migrate()).toEqual([]);
  const options = { ...databaseOptions({ DATABASE_URL: database.url }), entities };
  const dataSource = await new DataSource(options).initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  // Entities state columns only; constraints and indexes are in the migration alone.
  expect(upQueries.map(({ query }) => query).filter((query) => /COLUMN|TABLE "\w+" \(/.test(query))).toEqual([]);
  for (const _ of all) await dataSource.undoLastMigration();
  await dataSource.destroy();
  expect(await migrate()).toEqual(all);
  await database.drop();
});

// In the order of a deployment: the role first, then the migrations, whose tables it gets by default privileges.
describe('in a migrated database', () => {
  let role: Awaited<ReturnType<TestDatabase['createBackendRole']>>;
  const backend = new TestBackend();
  const clients: Record<string, pg.Client> = {};

  const readiness = async (of = backend) => {
    const { status, body } = await of.request<{ reason?: string }>('GET', '/readyz');
    return { status, reason: body.reason };
  };
  const ready = { status: 200, reason: undefined };

  beforeAll(async () => {
    await database.create({ migrated: false });
    role = await database.createBackendRole();
    const settings = { DATABASE_URL: role.url, PRIVACY_REQUESTS: 'record', DATABASE_POOL_SIZE: 1 } as const;
    await backend.start(settings);
    const reason = expect.stringMatching(/^The database lacks migrations: .*CreateTables\d+/);
    expect(await readiness()).toEqual({ status: 503, reason });
    await runMigrations({ DATABASE_URL: database.url });
    expect(await readiness()).toEqual(ready);
    await backend.stop();
    const name = new URL(database.url).pathname.slice(1);
    for (const setting of unusualSettings) await database.query(`ALTER DATABASE ${name} SET ${setting}`);
    await backend.start(settings);
    // Without their passwords, which all databases of the test server share.
    for (const user of [role.name, 'shell', 'reports']) {
      clients[user] = await database.connect();
      await clients[user].query(`SET SESSION AUTHORIZATION ${user}`);
    }
  });

  afterAll(async () => {
    for (const client of Object.values(clients)) await client.end();
    await backend.stop();
    await role.drop();
    await database.drop();
  });

  test('the backend and the operator’s command work with a role that owns nothing', async () => {
    expect(await readiness()).toEqual(ready);
    expect(await backend.failingCalls()).toEqual([]);
    const { email } = await backend.anEntry();
    for (const command of [['show', email], ['export'], ['forget', email, '--yes']])
      expect(await runOperator(role, ['subscribers', ...command])).toMatchObject({ exitCode: 0, errors: '' });
    const owned = 'SELECT relname FROM pg_class WHERE relowner = current_user::regrole';
    for (const client of Object.values(clients)) expect((await client.query(owned)).rows).toEqual([]);
  });

  test('what a later migration adds while the backend runs breaks no call', async () => {
    for (const table of ['subscriber', 'waitlist_entry', 'emergency_notice', 'privacy_request', 'outbox_event'])
      await database.query(`ALTER TABLE ${table} ADD COLUMN added_later integer`);
    await database.query("INSERT INTO migrations (timestamp, name) VALUES (1, 'OfTheNextRelease1')");
    expect(await backend.failingCalls()).toEqual([]);
    expect(await readiness()).toEqual(ready);
  });

  describe('a backend is not ready while a signup would fail', () => {
    const uniqueIndex = 'UNIQUE INDEX subscriber_email_key ON subscriber (lower(email COLLATE "C"))';
    const insert = 'INSERT ON waitlist_entry';
    test.each([
      ['no unique or exclusion constraint', 'DROP INDEX subscriber_email_key', `CREATE ${uniqueIndex}`],
      ['permission denied for table waitlist_entry', `REVOKE ${insert} FROM :role`, `GRANT ${insert} TO :role`],
    ])('because of %s', async (reason, change, back) => {
      await database.query(change.replace(':role', role.name));
      const failing = expect.stringMatching(`^A signup would fail: .*${reason}`);
      expect(await readiness()).toEqual({ status: 503, reason: failing });
      const { status, body } = await backend.signUp();
      const message = 'Something went wrong. Please try again.';
      expect([status, body]).toEqual([500, { statusCode: 500, message, error: 'INTERNAL' }]);
      await database.query(back.replace(':role', role.name));
      expect(await readiness()).toEqual(ready);
    });

    test.each([
      ['default_transaction_read_only = on', 'default_transaction_read_only = off', /^The database is read-only\.$/],
      ["DateStyle = 'German'", "DateStyle = 'ISO'", /^DateStyle is “German, DMY”, not ISO: run /],
    ])('because its role or the database has %s', async (setting, back, reason) => {
      await database.query(`ALTER ROLE ${role.name} SET ${setting}`);
      const other = await new TestBackend().start({ DATABASE_URL: role.url });
      const found = await readiness(other);
      await other.stop();
      await database.query(`ALTER ROLE ${role.name} SET ${back}`);
      expect(found).toEqual({ status: 503, reason: expect.stringMatching(reason) });
    });
  });

  test('signups go on while the password in the file is rotated', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'daybook-password-test-')), 'database-url');
    writeFileSync(file, role.url);
    process.env.DATABASE_URL_FILE = file;
    const rotated = await new TestBackend().start({ DATABASE_URL: role.url });
    writeFileSync(file, Object.assign(new URL(role.url), { password: 'rotated' }).href);
    await database.query(`ALTER ROLE ${role.name} PASSWORD 'rotated'`);
    const signups = await Promise.all(Array.from({ length: 20 }, () => rotated.signUp()));
    await database.query(`ALTER ROLE ${role.name} PASSWORD '${new URL(role.url).password}'`);
    await rotated.stop();
    delete process.env.DATABASE_URL_FILE;
    rmSync(dirname(file), { recursive: true });
    expect(new Set(signups.map(({ status }) => status))).toEqual(new Set([201]));
  });

  /** Returns the privileges of a role by table. */
  async function privilegesOf(name: string): Promise<Readonly<Record<string, string>>> {
    const granted = await database.query<{ table: string; privileges: string }>(
      `SELECT oid::regclass::text AS table, string_agg(privilege_type, ' ' ORDER BY privilege_type) AS privileges
       FROM pg_class, aclexplode(relacl)
       WHERE relkind = 'r' AND grantee = (SELECT oid FROM pg_roles WHERE rolname = $1) GROUP BY oid ORDER BY 1`,
      [name],
    );
    return Object.fromEntries(granted.map(({ table, privileges }) => [table, privileges]));
  }

  test('the backend’s role may be made before or after the migrations', async () => {
    const rows = 'DELETE INSERT SELECT UPDATE';
    const expected = {
      audit_log: 'INSERT SELECT',
      emergency_notice: rows,
      migrations: 'SELECT',
      outbox_event: rows,
      privacy_request: rows,
      subscriber: rows,
      waitlist_entry: rows,
    };
    const later = await database.createBackendRole();
    const found = [await privilegesOf(role.name), await privilegesOf(later.name)];
    await later.drop();
    expect(found).toEqual([expected, expected]);
  });

  test('the role of the shell server has exactly the privileges that its tables need', async () => {
    expect(await privilegesOf('shell')).toEqual({
      'releases.blob': 'DELETE INSERT SELECT',
      'releases.file': 'DELETE INSERT SELECT',
      'releases.release': 'DELETE INSERT SELECT',
      'releases.state': 'INSERT SELECT',
    });
    await expect(clients.shell?.query('SELECT * FROM subscriber')).rejects.toMatchObject({ code: '42501' });
  });

  test('the role of reports reads its views, without emails, and nothing else', async () => {
    expect(await backend.failingCalls()).toEqual([]);
    await database.query("INSERT INTO audit_log (operator, action, details) VALUES ('Ann', 'x', '{}')");
    const views = await clients.reports?.query("SELECT viewname FROM pg_views WHERE schemaname = 'reports'");
    for (const { viewname } of views?.rows ?? []) {
      const { rows = [] } = (await clients.reports?.query(`SELECT * FROM reports.${viewname}`)) ?? {};
      expect([viewname, rows.length > 0, JSON.stringify(rows).includes('@')]).toEqual([viewname, true, false]);
    }
    expect(views?.rows).toHaveLength(5);
    const dashboard = readFileSync(join(import.meta.dirname, '../../deploy/monitoring/dashboard.json'), 'utf8');
    const { panels }: { panels: readonly { targets?: readonly { rawSql?: string }[] }[] } = JSON.parse(dashboard);
    const statements = panels.flatMap(({ targets = [] }) => targets.flatMap(({ rawSql = [] }) => rawSql));
    expect(statements).toHaveLength(3);
    for (const statement of statements)
      expect((await clients.reports?.query(statement))?.rows[0]).toMatchObject({ time: expect.any(Date) });
    const exported = clients.reports?.query('SELECT * FROM subscriber_export');
    await expect(exported).rejects.toMatchObject({ code: '42501' });
  });
});
