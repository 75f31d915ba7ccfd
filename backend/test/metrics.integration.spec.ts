import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Metrics } from '../src/metrics/index.ts';
import { signUp } from './support/factories.ts';
import { startBackend, type TestBackend } from './support/test-backend.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

const token = 'operator-token-of-a-test';
let database: TestDatabase;
let backend: TestBackend;

beforeAll(async () => {
  database = await createTestDatabase();
  backend = await startBackend({ DATABASE_URL: database.url, OPERATOR_TOKEN: token });
});

afterAll(async () => {
  await backend?.stop();
  await database?.drop();
});

async function metrics(authorization = `Bearer ${token}`) {
  const answer = await fetch(`${backend.url}/metrics`, { headers: { authorization } });
  return { status: answer.status, headers: answer.headers, lines: (await answer.text()).split('\n') };
}

describe('the metrics of the backend', () => {
  test('are for who has the operator token', async () => {
    for (const wrong of ['', 'Bearer wrong', `Basic ${token}`]) {
      const { status, headers, lines } = await metrics(wrong);
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(lines.join()).not.toContain('daybook_');
    }
    expect((await metrics()).status).toBe(200);
  });

  test('count requests and signups, and tell of process and pool', async () => {
    await signUp(backend);
    await signUp(backend);
    await signUp(backend, { email: 'nobody' });
    const { lines } = await metrics();
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^process_cpu_seconds_total \d/),
        'daybook_api_requests_total{route="/api/waitlist",method="POST",status="201"} 2',
        'daybook_api_requests_total{route="/api/waitlist",method="POST",status="400"} 1',
        'daybook_api_request_duration_seconds_count{route="/api/waitlist",method="POST"} 3',
        'daybook_signups_total{outcome="stored"} 2',
        'daybook_signups_total{outcome="refused"} 1',
        'daybook_database_connections{state="waiting"} 0',
        expect.stringMatching(/^daybook_database_connections\{state="idle"\} [1-9]/),
      ]),
    );
  });

  test('do not grow with what clients make up', async () => {
    const series = async () => (await metrics()).lines.filter((line) => line.startsWith('daybook_api_')).length;
    const made = (number: number) => [
      backend.request('GET', `/made-up-${number}?email=ada@example.com`),
      backend.request('POST', `/api/made-up/${number}`),
      backend.request('PUT', `/api/waitlist/${number}/complete`),
      backend.request('GET', `/api/%ZZ${number}`),
    ];
    await Promise.all(made(1));
    const before = await series();
    await Promise.all(Array.from({ length: 20 }, (_, number) => made(number + 2)).flat());
    expect(await series()).toBe(before);
    expect((await metrics()).lines.join()).not.toContain('ada');
  });

  test('take in what other features count', async () => {
    const counted = backend.app.get(Metrics);
    counted.countRateLimitHit('signups-of-a-network');
    counted.watchOutbox(async () => ({ depth: 3, oldestAge: 1.5 }));
    expect((await metrics()).lines).toEqual(
      expect.arrayContaining([
        'daybook_rate_limit_hits_total{limit="signups-of-a-network"} 1',
        'daybook_outbox_depth 3',
        'daybook_outbox_oldest_age_seconds 1.5',
      ]),
    );
  });
});

test('without an operator token there are no metrics', async () => {
  const other = await startBackend({ DATABASE_URL: database.url });
  const { status, body } = await other.request('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });
  await other.stop();
  expect({ status, body }).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
});
