import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '@daybook/testing/eventually';
import { type RunningPostgres, startPostgres } from '@daybook/testing/postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ConnectionPool, runMigrations } from '../src/database/index.ts';
import { anEmail } from './support/factories.ts';
import { runBackend as run, urlOf } from './support/processes.ts';
import { type Settings, send, TestBackend } from './support/test-backend.ts';

// A database server of its own: one test kills it, and one needs it without the role of the shell server.
let postgres: RunningPostgres;

beforeAll(async () => {
  const folder = join(tmpdir(), `daybook-backend-test-${randomUUID()}`);
  postgres = await startPostgres({ folder, persistent: false, settings: { fsync: 'off' } });
});

afterAll(() => postgres?.stop());

test('the migrator tells an owner that may not create roles how to create them', async () => {
  const superuser = new pg.Client(postgres.url);
  await superuser.connect();
  const password = 'd41c7e90b2f6a853';
  await superuser.query(`CREATE ROLE owner LOGIN PASSWORD '${password}'`);
  await superuser.query('CREATE DATABASE site OWNER owner');
  const site = { username: 'owner', password, pathname: '/site' };
  const { href: DATABASE_URL } = Object.assign(new URL(postgres.url), site);
  const message =
    /^The role in DATABASE_URL lacks a privilege: there is no role (\w+), and owner must not create it\. As a role that may, run: (.+)\n$/;
  for (const role of ['reports', 'shell']) {
    const rejected = await run('migrate', { DATABASE_URL }).ended;
    expect(rejected).toMatchObject({ exitCode: 1, errors: expect.stringMatching(message) });
    const [, missing, remedy = ''] = message.exec(rejected.errors) ?? [];
    expect(missing).toBe(role);
    await superuser.query(remedy);
  }
  await superuser.end();
  const output = expect.stringMatching(/^(?:Ran migration \w+\d+\.\n)+$/);
  expect(await run('migrate', { DATABASE_URL }).ended).toEqual({ exitCode: 0, output, errors: '' });
  const again = await run('migrate', { DATABASE_URL }).ended;
  expect(again).toMatchObject({ exitCode: 0, output: expect.stringContaining('up to date') });
});

test('a server whose settings cannot be used exits with code 1, and says why', async () => {
  const errors = expect.stringMatching(/^These settings cannot be used:\n {2}DATABASE_URL: .+\n {2}PORT: .+\n$/);
  const { ended } = run('main', { DATABASE_URL: '', PORT: 'x', COOKIE_SECRET: 'x'.repeat(32) });
  expect(await ended).toMatchObject({ exitCode: 1, errors });
});

test('on SIGTERM the server is not ready, serves requests, and exits with code 0', async () => {
  await runMigrations({ DATABASE_URL: postgres.url });
  const variables = { COOKIE_SECRET: 'x'.repeat(32), PORT: '0', DRAIN_SECONDS: '6' };
  const { child, ended } = run('main', { DATABASE_URL: postgres.url, ...variables });
  const url = await urlOf(child);
  expect(await send(`${url}/readyz`, 'GET')).toMatchObject({ status: 200, body: { status: 'ready' } });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const body = '{"email":"late@example.com"}';
  socket.write(
    `POST /api/waitlist HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'data');
  child.kill('SIGTERM');
  const stopping = { status: 503, body: { reason: 'The server is about to stop.' } };
  await eventually(async () => expect(await send(`${url}/readyz`, 'GET')).toMatchObject(stopping));
  expect((await send(`${url}/healthz`, 'GET')).status).toBe(200);
  const { status, headers } = await send(`${url}/api/waitlist`, 'POST', { json: { email: 'a@example.com' } });
  expect([status, headers.get('connection')]).toEqual([201, 'close']);
  socket.write(body);
  expect(await text(socket)).toContain('HTTP/1.1 201 Created');
  expect(await ended).toMatchObject({ exitCode: 0, errors: '' });
});

describe('during an outage of the database,', () => {
  /** Time in ms for which a call waits for a connection. */
  const outageTimeout = 4_000;
  let backend: TestBackend;
  const start = async (settings: Partial<Settings> = {}) => {
    await runMigrations({ DATABASE_URL: postgres.url });
    backend = await new TestBackend().start({ DATABASE_URL: postgres.url, ...settings });
  };
  afterEach(() => backend.stop());

  async function connectOwner(): Promise<pg.Client> {
    const client = new pg.Client(postgres.url);
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Signs up concurrently; returns the emails with the statuses of the responses. */
  async function signUp(count: number) {
    const signups = Array.from({ length: count }, async () => {
      const email = anEmail();
      return { email, status: (await backend.signUp({ email })).status };
    });
    return Promise.all(signups);
  }
  type Signups = Awaited<ReturnType<typeof signUp>>;
  const statusesOf = (signups: Signups) => [...new Set(signups.map(({ status }) => status))];

  /** Returns how often signups and their events are stored, by email. */
  async function storedOf(signups: Signups) {
    const owner = await connectOwner();
    const { rows } = await owner.query<{ email: string; entries: number; events: number }>(
      `SELECT email, (SELECT count(*)::int FROM waitlist_entry WHERE subscriber_id = subscriber.id) AS entries,
         (SELECT count(*)::int FROM outbox_event WHERE data->>'email' = email) AS events
       FROM subscriber WHERE email = ANY ($1)`,
      [signups.map(({ email }) => email)],
    );
    await owner.end();
    return new Map(rows.map(({ email, ...counts }) => [email, counts]));
  }

  async function expectStoredOnce(signups: Signups) {
    const stored = await storedOf(signups);
    for (const { email, status } of signups)
      if (status === 201 || stored.has(email)) expect(stored.get(email)).toEqual({ entries: 1, events: 1 });
  }

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'such as a restart after %s, signups wait, and are stored once',
    async (signal) => {
      await start();
      for (let attempt = 1; ; attempt += 1) {
        const before = await signUp(20);
        expect(statusesOf(before)).toEqual([201]);
        await postgres.kill(signal);
        const killedAt = performance.now();
        // Calls on a connection that is about to end are not sent again.
        await eventually(() => expect(backend.app.get(ConnectionPool).totalCount).toBe(0));
        const during = signUp(40);
        await postgres.resume();
        const duration = performance.now() - killedAt;
        const signups = await during;
        await expectStoredOnce([...before, ...signups]);
        // On a busy machine, recovery may take as long as calls wait.
        if (duration > outageTimeout / 2 && attempt < 5) continue;
        expect(statusesOf(signups)).toEqual([201]);
        return;
      }
    },
  );

  test.each(['SIGKILL', 'SIGINT'] as const)('signups in progress at a %s are never sent again', async (signal) => {
    await start();
    const [lock, observer] = [await connectOwner(), await connectOwner()];
    await lock.query('BEGIN; LOCK TABLE waitlist_entry');
    const sent = signUp(10);
    const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await eventually(async () => expect((await observer.query(waits)).rowCount).toBe(10));
    await postgres.kill(signal);
    await postgres.resume();
    const signups = await sent;
    // One may get the lock before its own connection ends.
    expect(statusesOf(signups)).toContain(503);
    await expectStoredOnce(signups);
  });

  test('calls get 503 and the backend is not ready, until it is back', async () => {
    await start();
    await postgres.kill();
    const message = 'The database is not available at the moment. Please try again in a few seconds.';
    const signups = await Promise.all(Array.from({ length: 20 }, () => backend.signUp()));
    for (const { status, body } of signups)
      expect([status, body]).toEqual([503, { statusCode: 503, message, error: 'DATABASE_UNAVAILABLE' }]);
    expect(await backend.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    // The server that was killed may still shut down.
    const reason = expect.stringMatching(/^The database (?:cannot be reached|is starting, stopping or recovering)\.$/);
    expect(await backend.request('GET', '/readyz')).toMatchObject({ status: 503, body: { reason } });
    await postgres.resume();
    await eventually(async () => expect((await backend.request('GET', '/readyz')).status).toBe(200));
    expect((await backend.signUp()).status).toBe(201);
  });

  test('a statement without a response fails after 5 s, and the readiness check after 2 s', async () => {
    await start({ DATABASE_POOL_SIZE: 1 });
    const { id } = await backend.anEntry();
    const pool = backend.app.get(ConnectionPool);
    expect((await pool.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '4s' }]);
    const [{ pid }] = (await pool.query('SELECT pg_backend_pid() AS pid')).rows;
    process.kill(pid, 'SIGSTOP');
    const sentAt = performance.now();
    const call = backend.put(id, '/step/2');
    const reason = 'The database did not respond within 2 s.';
    expect(await backend.request('GET', '/readyz')).toMatchObject({ status: 503, body: { reason } });
    const { status, headers } = await call;
    const seconds = (performance.now() - sentAt) / 1000;
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect(seconds).toBeGreaterThan(4.9);
    expect(seconds).toBeLessThan(9);
    // On another connection: on that one it would wait for the statement.
    expect((await backend.signUp()).status).toBe(201);
    process.kill(pid, 'SIGCONT');
  });
});
