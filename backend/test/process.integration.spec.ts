import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '@daybook/testing/eventually';
import { type RunningPostgres, startPostgres } from '@daybook/testing/postgres';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { runMigrations } from '../src/database/index.ts';
import { signUp } from './support/factories.ts';
import { addressOf, runBackend as run } from './support/processes.ts';
import { send, startBackend, type TestBackend } from './support/test-backend.ts';

// A database server of its own: one test kills it, and one needs it without the role of the shell server.
let postgres: RunningPostgres;

beforeAll(async () => {
  const folder = join(tmpdir(), `daybook-backend-test-${randomUUID()}`);
  postgres = await startPostgres({ folder, persistent: false, settings: { fsync: 'off' } });
});

afterAll(() => postgres?.stop());

describe('the migrator', () => {
  test('tells an owner that may not create roles how to create the one of the shell server, and migrates after it', async () => {
    const superuser = new pg.Client(postgres.url);
    await superuser.connect();
    await superuser.query("CREATE ROLE owner LOGIN PASSWORD 'd41c7e90b2f6a853'");
    await superuser.query('CREATE DATABASE site OWNER owner');
    const { href: DATABASE_URL } = Object.assign(new URL(postgres.url), {
      username: 'owner',
      password: 'd41c7e90b2f6a853',
      pathname: '/site',
    });
    const rejected = await run('migrate', { DATABASE_URL }).ended;
    expect(rejected).toMatchObject({ exitCode: 1, errors: expect.not.stringMatching(/^ +at /m) });
    const message =
      /^The role in DATABASE_URL lacks a privilege: there is no role shell, and owner must not create it\. As a role that may, run: (.+)\n$/;
    await superuser.query(message.exec(rejected.errors)?.[1] ?? '');
    await superuser.end();
    const migrated = await run('migrate', { DATABASE_URL }).ended;
    const output = expect.stringMatching(/^(?:Ran migration \w+\d+\.\n)+$/);
    expect(migrated).toEqual({ exitCode: 0, output, errors: '' });
    const again = await run('migrate', { DATABASE_URL }).ended;
    expect(again).toMatchObject({ exitCode: 0, output: expect.stringContaining('up to date') });
  });
});

test.each(['migrate', 'main'] as const)(
  '%s without a reachable database exits with code 1 and one line',
  async (program) => {
    const variables = { DATABASE_URL: 'postgres://127.0.0.1:1/x', COOKIE_SECRET: 'x'.repeat(32), PORT: '0' };
    const { exitCode, errors } = await run(program, variables).ended;
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^The database at DATABASE_URL cannot be reached: .+\n$/);
  },
);

describe('the server', () => {
  test('names every invalid setting and exits with code 1', async () => {
    const { exitCode, errors } = await run('main', { PORT: 'x' }).ended;
    expect(exitCode).toBe(1);
    expect(errors).toMatch(
      /^These settings cannot be used:\n {2}DATABASE_URL: .+\n {2}PORT: .+\n {2}COOKIE_SECRET: .+\n$/,
    );
  });

  test('drains on SIGTERM: is not ready, still serves requests, completes those in progress, and exits with code 0', async () => {
    await runMigrations({ DATABASE_URL: postgres.url });
    const variables = { COOKIE_SECRET: 'x'.repeat(32), PORT: '0', DRAIN_SECONDS: '3' };
    const { child, ended } = run('main', { DATABASE_URL: postgres.url, ...variables });
    const address = await addressOf(child);
    expect(await send(`${address}/readyz`, 'GET')).toMatchObject({ status: 200, body: { status: 'ready' } });
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    const body = '{"email":"late@example.com"}';
    socket.write(
      `POST /api/waitlist HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
    );
    await once(socket, 'data');
    child.kill('SIGTERM');
    const reason = 'The server is about to stop.';
    await eventually(async () =>
      expect(await send(`${address}/readyz`, 'GET')).toMatchObject({ status: 503, body: { reason } }),
    );
    expect((await send(`${address}/healthz`, 'GET')).status).toBe(200);
    const { status, headers } = await send(`${address}/api/waitlist`, 'POST', { json: { email: 'a@example.com' } });
    expect([status, headers.get('connection')]).toEqual([201, 'close']);
    socket.write(body);
    expect(await text(socket)).toContain('HTTP/1.1 201 Created');
    expect(await ended).toMatchObject({ exitCode: 0, errors: '' });
  });
});

describe('during a database outage', () => {
  let backend: TestBackend;
  beforeAll(async () => {
    await runMigrations({ DATABASE_URL: postgres.url });
    backend = await startBackend({ DATABASE_URL: postgres.url });
  });
  afterAll(() => backend?.stop());

  const manySignups = () => Promise.all(Array.from({ length: 20 }, () => signUp(backend)));

  test('calls get 503 while the backend lives without being ready, and work once the database is back', async () => {
    await manySignups();
    await postgres.kill();
    for (const { status, body } of await manySignups()) {
      expect({ status, body }).toEqual({
        status: 503,
        body: {
          statusCode: 503,
          message: 'The database cannot be reached at the moment. Please try again in a few seconds.',
          error: 'DATABASE_UNAVAILABLE',
        },
      });
    }
    expect(await backend.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await backend.request('GET', '/readyz')).toMatchObject({
      status: 503,
      body: { status: 'not ready', reason: 'The database cannot be reached.' },
    });
    await postgres.resume();
    await eventually(async () => expect((await backend.request('GET', '/readyz')).status).toBe(200));
    expect((await manySignups()).map(({ status }) => status)).toEqual(Array(20).fill(201));
  });

  test('a restart of the database during many signups causes no status other than 201 or 503', async () => {
    const underWay = manySignups();
    await postgres.kill();
    await postgres.resume();
    for (const { status } of await underWay) expect([201, 503]).toContain(status);
    await eventually(async () => expect((await backend.request('GET', '/readyz')).status).toBe(200));
    expect((await manySignups()).map(({ status }) => status)).toEqual(Array(20).fill(201));
  });
});
