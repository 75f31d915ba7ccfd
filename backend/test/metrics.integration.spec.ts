import { eventually } from '@daybook/testing/eventually';
import { expect, test } from '@jest/globals';
import { Metrics } from '../src/metrics/index.ts';
import { anEmail } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const token = 'metrics-token-of-a-test-site';
const identity = { VERSION: '1.2.3', REVISION: '0a1b2c3' };
const { database, backend, withSettings } = useBackend({ METRICS_TOKEN: token, ...identity });

async function metrics(of = backend, authorization = `Bearer ${token}`) {
  const response = await fetch(`${of.url}/metrics`, { headers: { authorization } });
  return { status: response.status, headers: response.headers, lines: (await response.text()).split('\n') };
}
const numberOf = async (name: string) =>
  Number((await metrics()).lines.find((line) => line.startsWith(`daybook_${name} `))?.split(' ')[1]);

test('the metrics require the metrics token, and are nowhere without one', async () => {
  for (const wrong of ['', 'Bearer wrong', `Basic ${token}`]) {
    const { status, headers, lines } = await metrics(backend, wrong);
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(lines.join()).not.toContain('daybook_');
  }
  expect((await metrics()).status).toBe(200);
  await withSettings({}, async (other) => expect((await metrics(other)).status).toBe(404));
});

test('the metrics report version, requests, signups, process and connection pool', async () => {
  for (const email of [anEmail(), anEmail(), 'nobody']) await backend.signUp({ email });
  await backend.signUp({ topic: 'Cheap watches' });
  for (const status of [429, 503, 500, 500])
    backend.app.get(Metrics).countRequest('POST', '/api/waitlist', status, 0.01);
  const documentation = await fetch(`${backend.url}/api/docs/static/swagger-ui.css`);
  // A request counts once its response was sent.
  await documentation.text();
  const ofDocumentation = 'daybook_api_requests_total{route="/api/docs/static/*",method="GET",status="200"} 1';
  await eventually(async () => expect((await metrics()).lines).toContain(ofDocumentation));
  const { lines } = await metrics();
  expect(lines).toEqual(
    expect.arrayContaining([
      'daybook_build_info{service="backend",version="1.2.3",revision="0a1b2c3"} 1',
      expect.stringMatching(/^process_cpu_seconds_total \d/),
      'daybook_api_requests_total{route="/api/waitlist",method="POST",status="201"} 3',
      'daybook_api_requests_total{route="/api/waitlist",method="POST",status="400"} 1',
      'daybook_api_request_duration_seconds_count{route="/api/waitlist",method="POST"} 8',
      'daybook_signups_total{outcome="stored"} 2',
      'daybook_signups_total{outcome="suspected"} 1',
      'daybook_signups_total{outcome="refused"} 1',
      'daybook_signups_total{outcome="limited"} 1',
      'daybook_signups_total{outcome="unavailable"} 1',
      'daybook_signups_total{outcome="failed"} 2',
      'daybook_database_connections{state="waiting"} 0',
      expect.stringMatching(/^daybook_database_connections\{state="idle"\} [1-9]/),
    ]),
  );
  // Without a receiver: no alert may expect a delivery.
  expect(lines.join()).not.toContain('daybook_webhook_attempts_total{');
  const { body } = await backend.request('GET', '/readyz');
  expect(body).toEqual({ status: 'ready', version: '1.2.3', revision: '0a1b2c3' });
});

test('the metrics report depth and oldest age of the outbox, and overdue privacy requests', async () => {
  await database.clear();
  const read = () =>
    Promise.all(['outbox_depth', 'outbox_oldest_age_seconds', 'privacy_requests_overdue'].map(numberOf));
  expect(await read()).toEqual([0, 0, 0]);
  await database.query(
    `INSERT INTO outbox_event (type, data, status, created_at, next_attempt_at) VALUES
       ('x', '{}', 'delivered', now() - interval '3 days', now()), ('x', '{}', 'dead', now() - interval '2 days', now()),
       ('x', '{}', 'pending', now() - interval '1 hour', now() + interval '1 hour'), ('x', '{}', 'pending', now(), now())`,
  );
  await database.query(
    `INSERT INTO privacy_request (reference, kind, email, fields, page_version, global_privacy_control, received_at, due_at, done_at)
     SELECT 'K7QM-3XTA-9VD' || n, 'unsubscribe', n || '@example.com', '{}', '1', false, now() - interval '1 day', due, done
     FROM (VALUES (1, now() - interval '1 hour', NULL), (2, now() - interval '1 hour', now()), (3, now() + interval '1 hour', NULL))
       AS request (n, due, done)`,
  );
  expect(await read()).toEqual([2, expect.closeTo(3_600, -2), 1]);
});
