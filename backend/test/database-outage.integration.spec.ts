import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { type RunningPostgres, startPostgres } from '@daybook/testing/postgres';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runMigrations } from '../src/database/index.ts';
import { signUp } from './support/factories.ts';
import { startBackend, type TestBackend } from './support/test-backend.ts';

let postgres: RunningPostgres;
let backend: TestBackend;

beforeAll(async () => {
  const folder = join(tmpdir(), `daybook-outage-test-${randomUUID()}`);
  postgres = await startPostgres({ folder, persistent: false, settings: { fsync: 'off' } });
  await runMigrations({ DATABASE_URL: postgres.url });
  backend = await startBackend({ DATABASE_URL: postgres.url });
});

afterAll(async () => {
  await backend?.stop();
  await postgres?.stop();
});

const manySignups = () => Promise.all(Array.from({ length: 20 }, () => signUp(backend)));

describe('during a database outage', () => {
  test('responds with 503 within five seconds, and with 201 once the database is back', async () => {
    await manySignups();
    await postgres.kill();
    const since = Date.now();
    const rejected = await manySignups();
    expect(Date.now() - since).toBeLessThan(5_000);
    for (const { status, body } of rejected) {
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
    expect((await manySignups()).map(({ status }) => status)).toEqual(Array(20).fill(201));
  });
});
