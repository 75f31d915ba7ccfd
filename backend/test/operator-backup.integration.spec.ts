import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { anAddress, emergencyNotice, information, signUp } from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { startBackend, type TestBackend } from './support/test-backend.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

jest.setTimeout(60_000);

let source: TestDatabase;
let target: TestDatabase;
let backend: TestBackend;
let folder: string;
let file: string;

beforeAll(async () => {
  source = await createTestDatabase();
  backend = await startBackend({ DATABASE_URL: source.url });
  for (let n = 0; n < 20; n++) {
    const { id, email } = (await signUp(backend)).body.entry;
    await backend.request('PUT', `/api/waitlist/${id}`, { json: information({ lastName: `O'Hara "${n}"\n\\.é` }) });
    await backend.request('PUT', `/api/waitlist/${id}/offers`, { json: { selectedOffers: ['grocery'] } });
    await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email }) });
  }
});

beforeEach(async () => {
  target = await createTestDatabase({ migrated: false });
  folder = mkdtempSync(join(tmpdir(), 'daybook-backup-'));
  file = join(folder, 'daybook.dump');
});

afterEach(async () => {
  await target?.drop();
  rmSync(folder, { recursive: true });
});

afterAll(async () => {
  await backend?.stop();
  await source?.drop();
});

/** The rows of every table of ours, and its columns, indexes and constraints; counts of limits are not kept. */
async function contentOf(database: TestDatabase) {
  const tables = await database.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const rows = await Promise.all(
    tables
      .filter(({ name }) => name !== 'request_count')
      .map(async ({ name }) => {
        // Of a migration, its number tells only what ran before in this database.
        const columns = name === 'migrations' ? 'name' : '*';
        return [name, await database.query(`SELECT ${columns} FROM ${name} ORDER BY 1`)];
      }),
  );
  const indexes = await database.query("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1");
  const constraints = await database.query(
    "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1",
  );
  return { tables, rows: Object.fromEntries(rows), indexes, constraints };
}

/** A stand-in for one of PostgreSQL's programs. */
function fake(program: string, script: string) {
  writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, program), 0o755);
  return { PG_BIN: folder, PATH: process.env.PATH ?? '' };
}

describe('without the programs that fit', () => {
  test.each([
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ])('%s names %s, the versions, and what to do', async (command, program) => {
    writeFileSync(file, '');
    const [{ version }] = (await source.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int / 10000 AS version",
    )) as [{ version: number }];
    const advice =
      'Install the PostgreSQL client programs of that version, or set PG_BIN to the folder that has them.\n';
    const parameters = [command, file, '--force'];
    const missing = await runOperator(source, parameters, { PG_BIN: folder });
    expect(missing).toMatchObject({ exitCode: 1, output: '' });
    expect(missing.errors).toBe(
      `${join(folder, program)} cannot be started; the server is PostgreSQL ${version}, so version ${version} or newer is needed. ${advice}`,
    );
    const old = await runOperator(source, parameters, fake(program, `echo '${program} (PostgreSQL) 9.6.24'`));
    expect(old.errors).toBe(
      `${join(folder, program)} is version 9, the server is PostgreSQL ${version}: version ${version} or newer is needed. ${advice}`,
    );
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('the password is on no command line, and a dump that fails leaves no file', async () => {
    const program = fake(
      'pg_dump',
      `[ "$1" = --version ] && echo 'pg_dump (PostgreSQL) 99.0' && exit
       echo "$@ ($PGPASSWORD) ($DATABASE_URL)" >&2; exit 3`,
    );
    const { exitCode, errors } = await runOperator(source, ['backup', file], program);
    const { username, password, host, pathname } = new URL(source.url);
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^pg_dump could not back up the database:\n/);
    expect(errors).toContain(`--dbname=postgres://${username}@${host}${pathname} (${password}) ()`);
    expect(readdirSync(folder)).toEqual(['pg_dump']);
  });
});

const program = join(process.env.PG_BIN ?? '', 'pg_restore');
const version = Number(/ (\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]);
const programs = { PATH: process.env.PATH ?? '', ...(process.env.PG_BIN ? { PG_BIN: process.env.PG_BIN } : {}) };
/** The version of PostgreSQL that the backend needs. */
const fits = version >= 18;

(fits ? describe : describe.skip)('with PostgreSQL 18 programs (PATH or PG_BIN)', () => {
  const operator = (database: TestDatabase, ...parameters: string[]) => runOperator(database, parameters, programs);

  test('what is backed up is restored, row by row, and a backend goes on with it', async () => {
    const made = await operator(source, 'backup', file);
    expect(made).toEqual({ exitCode: 0, output: expect.stringMatching(/^\d+ kB written to .+\.\n$/), errors: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['daybook.dump']);
    expect(await operator(target, 'restore', file)).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^Restored .+: 20 subscribers\.\nWhom you forgot since .+\n$/),
      errors: '',
    });
    expect(await contentOf(target)).toEqual(await contentOf(source));
    const restored = await startBackend({ DATABASE_URL: target.url });
    expect((await signUp(restored)).status).toBe(201);
    await restored.stop();
  });

  test('a backup is taken while people sign up, and replaces no file unless it is told to', async () => {
    await operator(source, 'backup', file);
    const before = readFileSync(file);
    expect(await operator(source, 'backup', file)).toMatchObject({ exitCode: 1, output: '' });
    expect(readFileSync(file).equals(before)).toBe(true);
    const [made] = await Promise.all([
      operator(source, 'backup', file, '--force'),
      ...Array.from({ length: 20 }, () => signUp(backend)),
    ]);
    expect(made.exitCode).toBe(0);
  });

  test('a database that is not empty is left alone without --force, and replaced as a whole with it', async () => {
    await operator(source, 'backup', file);
    await operator(target, 'restore', file);
    await target.query('UPDATE waitlist_entry SET first_name = $1', ['changed']);
    await target.query("INSERT INTO subscriber (email) VALUES ('later@example.com')");
    const changed = await contentOf(target);
    const refused = await operator(target, 'restore', file);
    expect(refused.exitCode).toBe(1);
    expect(refused.errors).toMatch(/^The database is not empty: it has \d+ tables\. .*--force.*\n$/);
    expect(await contentOf(target)).toEqual(changed);
    // While a backend is connected, and has the tables of pg-boss in use.
    const running = await startBackend({ DATABASE_URL: target.url });
    expect(await operator(target, 'restore', file, '--force')).toMatchObject({ exitCode: 0, errors: '' });
    expect(await contentOf(target)).toEqual(await contentOf(source));
    expect((await signUp(running, { email: anAddress() })).status).toBe(201);
    await running.stop();
  });

  test('a backup that is damaged changes nothing', async () => {
    await operator(source, 'backup', file);
    await operator(target, 'restore', file);
    await target.query("INSERT INTO subscriber (email) VALUES ('later@example.com')");
    const before = await contentOf(target);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 200));
    const { exitCode, output, errors } = await operator(target, 'restore', file, '--force');
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
    expect(errors).toMatch(/could not be restored; the database is as it was:|cannot be read as a backup:/);
    expect(await contentOf(target)).toEqual(before);
  });

  test('what is no backup, or not there, is named', async () => {
    expect((await operator(target, 'restore', file)).errors).toBe(`There is no file ${file}.\n`);
    writeFileSync(file, 'email,status\n');
    expect((await operator(target, 'restore', file)).errors).toMatch(
      new RegExp(`^${file} cannot be read as a backup:\n`),
    );
    expect(existsSync(file)).toBe(true);
  });

  test('a database with tables that the backup does not know is not left between two versions', async () => {
    await operator(source, 'backup', file);
    await operator(target, 'restore', file);
    await target.query('CREATE TABLE newer (id integer)');
    const { exitCode, errors } = await operator(target, 'restore', file, '--force');
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/between two versions: public\.newer\. Restore into an empty database\.\n$/);
  });

  test('a backup of an older version is brought up to date', async () => {
    await operator(source, 'backup', file);
    await operator(target, 'restore', file);
    await target.query('DROP TABLE forgotten_count; DROP INDEX outbox_event_email_idx');
    await target.query("DELETE FROM migrations WHERE name LIKE 'CreateForgottenCount%'");
    const old = join(folder, 'old.dump');
    await operator(target, 'backup', old);
    const fresh = await createTestDatabase({ migrated: false });
    expect((await operator(fresh, 'restore', old)).output).toContain('Ran migration CreateForgottenCount');
    expect(await contentOf(fresh)).toEqual(await contentOf(source));
    await fresh.drop();
  });
});
