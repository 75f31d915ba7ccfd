import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningPostgres, startPostgres } from '@daybook/testing/postgres';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { runBackend } from './support/processes.ts';

// A server of its own: the role `shell` belongs to the server, and other specs have created it on theirs.
let postgres: RunningPostgres;
let superuser: pg.Client;

beforeAll(async () => {
  const folder = join(tmpdir(), `daybook-backend-test-${randomUUID()}`);
  postgres = await startPostgres({ folder, persistent: false, settings: { fsync: 'off' } });
  superuser = new pg.Client(postgres.url);
  await superuser.connect();
});

afterAll(async () => {
  await superuser?.end();
  await postgres?.stop();
});

test('an owner that may not create roles gets the statement that creates the role of the shell server, and migrates after it', async () => {
  await superuser.query("CREATE ROLE owner LOGIN PASSWORD 'd41c7e90b2f6a853'");
  await superuser.query('CREATE DATABASE site OWNER owner');
  const url = Object.assign(new URL(postgres.url), {
    username: 'owner',
    password: 'd41c7e90b2f6a853',
    pathname: '/site',
  });
  const rejected = await runBackend('migrate', { DATABASE_URL: url.href }).ended;
  expect(rejected).toMatchObject({ exitCode: 1, errors: expect.not.stringMatching(/^ +at /m) });
  const [, statement = ''] =
    /^The role in DATABASE_URL lacks a privilege: there is no role shell, and owner must not create it\. As a role that may, run: (.+)\n$/.exec(
      rejected.errors,
    ) ?? [];
  await superuser.query(statement);
  const migrated = await runBackend('migrate', { DATABASE_URL: url.href }).ended;
  expect(migrated).toEqual({ exitCode: 0, output: expect.stringMatching(/CreateReleases\d+\.\n$/), errors: '' });
});
