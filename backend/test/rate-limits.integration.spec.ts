import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { anEmail, emergencyNotice, privacyRequest } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const { backend } = useBackend({
  PRIVACY_REQUESTS: 'record',
  LIMIT_NETWORK_WRITES: 4,
  LIMIT_NETWORK_SIGNUPS: 3,
  LIMIT_NETWORK_LOOKUPS: 3,
  LIMIT_NETWORK_PRIVACY_REQUESTS: 2,
  LIMIT_ADDRESS_SIGNUPS: 3,
  LIMIT_GLOBAL_SIGNUPS: 15,
});

const minute = 60_000;
let now = Date.now();
beforeEach(() => {
  now += minute;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

/** Sends a request, by default a signup. */
function send(network: string, { method = 'POST', path = '/api/waitlist', email = anEmail() } = {}) {
  const json = method === 'POST' ? { ...emergencyNotice({ email }), ...privacyRequest({ email }) } : undefined;
  return backend.request(method, path, { json, headers: { 'x-forwarded-for': network } });
}

/** Sends requests one after the other, and returns how many are not limited. */
async function accepted(count: number, sendNth: (index: number) => ReturnType<typeof send>) {
  let total = 0;
  for (let index = 0; index < count; index += 1) if ((await sendNth(index)).status !== 429) total += 1;
  return total;
}

test.each([
  ['an IPv4, in any notation', (index: number) => (index % 2 === 0 ? '192.0.2.7' : '::ffff:192.0.2.7')],
  ['the IPs of a /64', (index: number) => `2001:db8:7:7::${index + 1}`],
])('a network may send again a minute after its first request: %s', async (_what, ipOf) => {
  const next = (count: number) => accepted(count, (index) => send(ipOf(index)));
  expect(await next(5)).toBe(3);
  expect((await send('198.51.100.1')).status).toBe(201);
  now += 15_000;
  const { headers, body } = await send(ipOf(0));
  const message = 'There were too many requests at once. Please try again in 45 seconds.';
  expect(headers.get('retry-after')).toBe('45');
  expect(body).toEqual({ statusCode: 429, message, error: 'TOO_MANY_REQUESTS' });
  now += minute - 15_000 - 1;
  expect(await next(1)).toBe(0);
  now += 1;
  expect(await next(5)).toBe(3);
});

test('the network of a customer, an IPv6 /48, has four times the limit', async () => {
  expect(await accepted(20, (index) => send(`2001:db8:7:${index.toString(16)}::1`))).toBe(12);
  expect((await send('2001:db8:8::1')).status).toBe(201);
});

test('a network is counted before its body is read', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.7', 'content-type': 'application/json' };
  expect(await accepted(5, () => backend.request('POST', '/api/waitlist', { body: '{', headers }))).toBe(3);
});

test.each([
  ['PUT', '/api/waitlist/7/complete', 4],
  ['POST', '/api/unknown', 4],
  ['DELETE', '/unknown', 4],
  ['POST', '/api/privacy-requests', 2],
  ['GET', '/api/waitlist/by-email?email=a@b.co', 3],
  ['GET', '/healthz', 6],
])('of six requests %s %s of a network, %i are accepted', async (method, path, count) => {
  expect(await accepted(6, () => send('192.0.2.1', { method, path }))).toBe(count);
});

test('the limit for everybody counts valid requests of each kind', async () => {
  await accepted(18, (index) => send(`192.0.2.${index}`, { email: 'nobody' }));
  for (const path of ['/api/waitlist', '/api/emergency-webhook', '/api/privacy-requests'])
    expect([path, await accepted(18, (index) => send(`192.0.2.${index}`, { path }))]).toEqual([path, 15]);
});

test('an email has its limit in any spelling', async () => {
  for (const email of ['ada@example.com', 'ADA@example.com', ' Ada@Example.com\u200b'])
    expect((await send('192.0.2.1', { email })).status).toBe(201);
  const again = { email: 'ada@example.com' };
  for (const path of ['/api/waitlist', '/api/emergency-webhook'])
    expect((await send('192.0.2.2', { ...again, path })).status).toBe(429);
  expect((await send('192.0.2.2')).status).toBe(201);
});
