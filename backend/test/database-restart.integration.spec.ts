import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { type RunningPostgres, startPostgres } from '@daybook/testing/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { runMigrations } from '../src/database/index.ts';
import { anEmail } from './support/factories.ts';
import { TestBackend } from './support/test-backend.ts';

/** Time in ms for which a call waits for a connection. */
const outageTimeout = 4_000;

let postgres: RunningPostgres;
let owner: pg.Client;
let backend: TestBackend;

beforeAll(async () => {
  const folder = join(tmpdir(), `daybook-backend-test-${randomUUID()}`);
  postgres = await startPostgres({ folder, persistent: false, settings: { fsync: 'off' } });
  await runMigrations({ DATABASE_URL: postgres.url });
});
afterAll(() => postgres?.stop());

beforeEach(async () => {
  owner = await connect();
  backend = await new TestBackend().start({ DATABASE_URL: postgres.url });
});
afterEach(async () => {
  await backend.stop();
  await owner.end();
});

async function connect(): Promise<pg.Client> {
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

/** Expects that each acknowledged signup is stored once with its event, and of the others none twice. */
async function expectStoredOnce(signups: Signups) {
  const { rows } = await owner.query<{ email: string; entries: number; events: number }>(
    `SELECT email, (SELECT count(*)::int FROM waitlist_entry WHERE subscriber_id = subscriber.id) AS entries,
       (SELECT count(*)::int FROM outbox_event WHERE data->>'email' = email) AS events
     FROM subscriber WHERE email = ANY ($1)`,
    [signups.map(({ email }) => email)],
  );
  const stored = new Map(rows.map(({ email, ...counts }) => [email, counts]));
  for (const { email, status } of signups)
    if (status === 201 || stored.has(email)) expect(stored.get(email)).toEqual({ entries: 1, events: 1 });
}

test.each(['SIGINT', 'SIGKILL'] as const)(
  'while PostgreSQL restarts after %s, signups wait, and each is stored once',
  async (signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const before = await signUp(20);
      expect(statusesOf(before)).toEqual([201]);
      await postgres.kill(signal);
      const killedAt = performance.now();
      const during = signUp(40);
      await postgres.resume();
      const duration = performance.now() - killedAt;
      const signups = await during;
      await owner.end();
      owner = await connect();
      await expectStoredOnce([...before, ...signups]);
      // On a busy machine, recovery may take as long as calls wait.
      if (duration > outageTimeout / 2 && attempt < 5) continue;
      expect(statusesOf(signups)).toEqual([201]);
      return;
    }
  },
);

test('signups in progress when PostgreSQL is killed are never sent again', async () => {
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    const lock = await connect();
    await lock.query('BEGIN; LOCK TABLE waitlist_entry');
    const sent = signUp(10);
    const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await eventually(async () => expect((await owner.query(waits)).rowCount).toBe(10));
    await postgres.kill(signal);
    await postgres.resume();
    const signups = await sent;
    expect(statusesOf(signups)).toEqual([503]);
    owner = await connect();
    await expectStoredOnce(signups);
    const { rows } = await owner.query('SELECT FROM subscriber WHERE email = ANY ($1)', [
      signups.map(({ email }) => email),
    ]);
    expect(rows).toEqual([]);
  }
});
