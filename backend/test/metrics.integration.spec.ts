import { describe, expect, test } from '@jest/globals';
import { anAddress, signUp } from './support/factories.ts';
import { startBackend } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const token = 'metrics-token-of-a-test-site';
const { database, backend } = useBackend({ METRICS_TOKEN: token, VERSION: '1.2.3', REVISION: '0a1b2c3' });

async function metrics(of = backend, authorization = `Bearer ${token}`) {
  const response = await fetch(`${of.url}/metrics`, { headers: { authorization } });
  return { status: response.status, headers: response.headers, lines: (await response.text()).split('\n') };
}

describe('the metrics of the backend', () => {
  test('require the metrics token', async () => {
    for (const wrong of ['', 'Bearer wrong', `Basic ${token}`, `Bearer ${'a'.repeat(15_000)}`]) {
      const { status, headers, lines } = await metrics(backend, wrong);
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(lines.join()).not.toContain('daybook_');
    }
    expect((await metrics()).status).toBe(200);
  });

  test('report the version and commit that readiness reports', async () => {
    const { lines } = await metrics();
    expect(lines).toContain('daybook_build_info{service="backend",version="1.2.3",revision="0a1b2c3"} 1');
    const { body } = await backend.request('GET', '/readyz');
    expect(body).toEqual({ status: 'ready', version: '1.2.3', revision: '0a1b2c3' });
  });

  test('include requests, signups, process and connection pool', async () => {
    await signUp(backend);
    await signUp(backend);
    await signUp(backend, { email: 'nobody' });
    await backend.request('POST', '/api/waitlist', { json: { email: anAddress(), topic: 'Cheap watches' } });
    const { lines } = await metrics();
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^process_cpu_seconds_total \d/),
        'daybook_api_requests_total{route="/api/waitlist",method="POST",status="201"} 3',
        'daybook_api_requests_total{route="/api/waitlist",method="POST",status="400"} 1',
        'daybook_api_request_duration_seconds_count{route="/api/waitlist",method="POST"} 4',
        'daybook_signups_total{outcome="stored"} 2',
        'daybook_signups_total{outcome="suspected"} 1',
        'daybook_signups_total{outcome="refused"} 1',
        'daybook_database_connections{state="waiting"} 0',
        expect.stringMatching(/^daybook_database_connections\{state="idle"\} [1-9]/),
      ]),
    );
  });

  test('get no new series from arbitrary paths of clients', async () => {
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
    expect((await metrics()).lines.join()).not.toContain('example');
  });

  test('count rejected requests by rate limit', async () => {
    const limited = await startBackend({
      DATABASE_URL: database.url,
      METRICS_TOKEN: token,
      LIMIT_ADDRESS_SIGNUPS: 1,
      LIMIT_GLOBAL_SIGNUPS: 2,
    });
    const send = (email: string) => limited.request('POST', '/api/waitlist', { json: { email } });
    const email = anAddress();
    const responses = [await send(email), await send(email), await send(anAddress()), await send(anAddress())];
    const { lines } = await metrics(limited);
    await limited.stop();
    expect(responses.map(({ status }) => status)).toEqual([201, 429, 201, 429]);
    expect(lines.filter((line) => /^daybook_(?:rate_limit|signups).* [1-9]/.test(line)).sort()).toEqual([
      'daybook_rate_limit_hits_total{limit="address_signups"} 1',
      'daybook_rate_limit_hits_total{limit="global_signups"} 1',
      'daybook_signups_total{outcome="limited"} 2',
      'daybook_signups_total{outcome="stored"} 2',
    ]);
  });

  test('report depth and oldest age of the outbox', async () => {
    const outbox = async () => {
      const { lines } = await metrics();
      const [depth, age] = ['depth', 'oldest_age_seconds'].map((name) =>
        Number(lines.find((line) => line.startsWith(`daybook_outbox_${name} `))?.split(' ')[1]),
      );
      return { depth, age };
    };
    await database.query('DELETE FROM outbox_event');
    expect(await outbox()).toEqual({ depth: 0, age: 0 });
    const setLast = (change: string) =>
      database.query(
        `UPDATE outbox_event SET ${change} WHERE id = (SELECT id FROM outbox_event ORDER BY id DESC LIMIT 1)`,
      );
    for (const change of [
      `created_at = now() - interval '3 days', status = 'delivered'`,
      `created_at = now() - interval '2 days', status = 'dead'`,
      `created_at = now() - interval '1 hour', next_attempt_at = now() + interval '1 hour'`,
    ]) {
      await signUp(backend);
      await setLast(change);
    }
    await signUp(backend);
    const { depth, age } = await outbox();
    expect(depth).toBe(2);
    expect(age).toBeGreaterThanOrEqual(3_600);
    expect(age).toBeLessThan(3_700);
  });

  test('count overdue privacy requests', async () => {
    const overdue = async () => (await metrics()).lines.find((line) => line.startsWith('daybook_privacy_requests_'));
    expect(await overdue()).toBe('daybook_privacy_requests_overdue 0');
    const add = (reference: string, due: string, done: string) =>
      database.query(
        `INSERT INTO privacy_request (reference, kind, email, fields, page_version, global_privacy_control, received_at, due_at, done_at)
         VALUES ('${reference}', 'unsubscribe', 'ada@example.com', '{}', '1', false, now() - interval '1 day', now() + interval '${due}', ${done})`,
      );
    await add('K7QM-3XTA-9VD1', '-1 hour', 'NULL');
    await add('K7QM-3XTA-9VD2', '-1 hour', 'now()');
    await add('K7QM-3XTA-9VD3', '1 hour', 'NULL');
    expect(await overdue()).toBe('daybook_privacy_requests_overdue 1');
  });
});

test('GET /metrics responds with 404 without a metrics token', async () => {
  const other = await startBackend({ DATABASE_URL: database.url });
  const { status, body } = await other.request('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });
  await other.stop();
  expect({ status, body }).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
});
