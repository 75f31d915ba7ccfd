import { errorBodySchema } from '@daybook/contract/api';
import { readEnvironment } from '@daybook/server';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { eventually } from '../../shell/server/test/eventually.ts';
import { environmentSchema } from '../src/environment.ts';
import { windowLength } from '../src/limits/sliding-counts.ts';
import { anAddress, completionNotice, emergencyNotice, privacyRequest, signUp } from './support/factories.ts';
import { startBackend, type TestBackend, type TestResponse } from './support/test-backend.ts';
import { useDatabase } from './support/use-backend.ts';

const database = useDatabase();
let networks = 0;
const running: TestBackend[] = [];

/** The default limits. */
const {
  DATABASE_URL: _,
  COOKIE_SECRET: __,
  LOG_LEVEL: ___,
  ...defaults
} = readEnvironment(environmentSchema, {
  DATABASE_URL: 'postgres://localhost/x',
  COOKIE_SECRET: 'a'.repeat(32),
});

/** Starts each test 15 s into a minute, so that no minute ends during it. */
beforeEach(() => {
  const realNow = Date.now;
  const shift = (realNow() % windowLength) - windowLength / 4;
  jest.spyOn(Date, 'now').mockImplementation(() => realNow() - shift);
});

afterEach(async () => {
  jest.restoreAllMocks();
  for (const backend of running.splice(0)) await backend.stop();
  await database.query('TRUNCATE request_count');
});

async function start(limits: Partial<typeof defaults> = {}): Promise<TestBackend> {
  const backend = await startBackend({ DATABASE_URL: database.url, ...defaults, ...limits });
  running.push(backend);
  return backend;
}

/** Returns headers of a client in an unused network. */
const fromNewNetwork = () => ({ 'x-forwarded-for': `198.51.${++networks >> 8}.${networks & 255}` });

const statusesOf = (responses: readonly TestResponse[]) => {
  const count = (status: number) => responses.filter((response) => response.status === status).length;
  return Object.fromEntries(
    [...new Set(responses.map(({ status }) => status))].sort().map((each) => [each, count(each)]),
  );
};
const times = <Result>(count: number, make: () => Promise<Result>) => Promise.all(Array.from({ length: count }, make));

/** Sends all calls of the site, from the signup to the thank-you page. */
async function journey(backend: TestBackend, headers: Record<string, string>): Promise<TestResponse[]> {
  const signup = await signUp(backend, { headers });
  const entry = `/api/waitlist/${signup.body.entry.id}`;
  const email = encodeURIComponent(signup.body.entry.email);
  const call = (method: string, path: string, json?: unknown) => backend.request(method, path, { headers, json });
  return [
    signup,
    await call('PUT', `${entry}/step/2`),
    await call('PUT', `${entry}/complete`),
    await call('PUT', `${entry}/offers`, { selectedOffers: ['grocery'] }),
    await call('GET', `/api/waitlist/by-email?email=${email}`),
    await call('PUT', `${entry}/update-client-info`),
    await call('POST', `${entry}/notify-complete`, completionNotice()),
  ];
}

function expectRateLimited(response: TestResponse | undefined): void {
  const body = errorBodySchema.parse(response?.body);
  const wait = Number(response?.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(120);
  expect(body).toEqual({
    statusCode: 429,
    message: expect.stringMatching(/^There were too many requests at once\. Please try again in (a|\d+) seconds?\.$/),
    error: 'TOO_MANY_REQUESTS',
  });
}

describe('the default rate limits accept', () => {
  test('60 complete signups in a minute from one office network', async () => {
    const backend = await start();
    const office = fromNewNetwork();
    const responses = (await times(60, () => journey(backend, office))).flat();
    // The lookups get 404, because they send no cookie.
    expect(statusesOf(responses)).toEqual({ 200: 300, 201: 60, 404: 60 });
  });

  test('50 concurrent signups with one address', async () => {
    const backend = await start();
    const headers = fromNewNetwork();
    const email = anAddress();
    expect(statusesOf(await times(50, () => signUp(backend, { email, headers })))).toEqual({ 201: 50 });
  });
});

describe('the default rate limits reject', () => {
  test('hundreds of signups from one network, without affecting other networks', async () => {
    const backend = await start();
    const headers = fromNewNetwork();
    const responses = await times(400, () => signUp(backend, { headers }));
    expect(statusesOf(responses)).toEqual({ 201: 180, 429: 220 });
    expectRateLimited(responses.at(-1));
    expect((await signUp(backend, { headers: fromNewNetwork() })).status).toBe(201);
  });

  test('hundreds of privacy requests from one network, or for one address', async () => {
    const backend = await start({ PRIVACY_REQUESTS: 'record' });
    const make = (headers: Record<string, string>, email = anAddress()) =>
      backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }), headers });
    const headers = fromNewNetwork();
    expect(statusesOf(await times(200, () => make(headers)))).toEqual({ 201: 180, 429: 20 });
    const victim = anAddress();
    expect(statusesOf(await times(150, () => make(fromNewNetwork(), victim)))).toEqual({ 201: 120, 429: 30 });
  });

  test('hundreds of changes from one network', async () => {
    const backend = await start();
    const headers = fromNewNetwork();
    const responses = await times(600, () => backend.request('PUT', '/api/waitlist/5/complete', { headers }));
    expect(statusesOf(responses)).toEqual({ 404: 480, 429: 120 });
    expectRateLimited(responses.at(-1));
  });

  test('hundreds of lookups by address from one network', async () => {
    const backend = await start();
    const headers = fromNewNetwork();
    const lookUp = () => backend.request('GET', `/api/waitlist/by-email?email=${anAddress()}`, { headers });
    const responses = await times(350, lookUp);
    expect(statusesOf(responses)).toEqual({ 404: 300, 429: 50 });
    expectRateLimited(responses.at(-1));
    expect((await signUp(backend, { headers })).status).toBe(201);
  });

  test('too many signups with one address from many networks, in any spelling', async () => {
    const backend = await start();
    const spellings = ['mallory@example.com', ' mallory@EXAMPLE.com', 'mallory@example.com '];
    const responses = await times(150, () =>
      signUp(backend, { email: spellings[networks % 3] as string, headers: fromNewNetwork() }),
    );
    expect(statusesOf(responses)).toEqual({ 201: 120, 429: 30 });
    expectRateLimited(responses.at(-1));
    const notice = emergencyNotice({ email: 'mallory@example.com' });
    const headers = fromNewNetwork();
    expectRateLimited(await backend.request('POST', '/api/emergency-webhook', { json: notice, headers }));
  });

  test('a client that changes its IPv6 address within its /64 network', async () => {
    const backend = await start();
    let host = 0;
    const headers = () => ({ 'x-forwarded-for': `2001:db8:7:7::${(++host).toString(16)}` });
    expect(statusesOf(await times(200, () => signUp(backend, { headers: headers() })))).toEqual({ 201: 180, 429: 20 });
  });
});

describe('the global limit', () => {
  test('counts signups and emergency notices separately', async () => {
    const backend = await start({ LIMIT_GLOBAL_SIGNUPS: 2 });
    const responses = await times(5, () => signUp(backend, { headers: fromNewNetwork() }));
    expect(statusesOf(responses)).toEqual({ 201: 2, 429: 3 });
    expectRateLimited(responses.at(-1));
    const notify = () => backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice() });
    expect(statusesOf(await times(3, notify))).toEqual({ 200: 2, 429: 1 });
  });
});

describe('two backends with one database', () => {
  test('share their rate limits', async () => {
    const [one, other] = [await start(), await start()];
    const headers = fromNewNetwork();
    expect(statusesOf(await times(180, () => signUp(one, { headers })))).toEqual({ 201: 180 });
    await reconciled(180);
    // The other backend learns of them with its own first report, at a twentieth of the limit.
    await times(9, () => signUp(other, { headers }));
    await eventually(async () => expect((await signUp(other, { headers })).status).toBe(429));
    const responses = await times(50, () => signUp(other, { headers }));
    expect(statusesOf(responses)).toEqual({ 429: 50 });
  });
});

describe('the shared table of counts', () => {
  test('contains neither addresses nor networks', async () => {
    const backend = await start({ LIMIT_NETWORK_SIGNUPS: 20, LIMIT_ADDRESS_SIGNUPS: 20 });
    await signUp(backend, { email: 'ada@example.com', headers: { 'x-forwarded-for': '203.0.113.77' } });
    await reconciled(1);
    const stored = JSON.stringify(await database.query('SELECT * FROM request_count'));
    expect(stored).not.toMatch(/example|203\.0/);
  });

  test('is optional: without it, the backend counts alone and logs one warning', async () => {
    const backend = await start();
    const headers = fromNewNetwork();
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await database.query('ALTER TABLE request_count RENAME TO request_count_away');
    expect(statusesOf(await times(100, () => signUp(backend, { headers })))).toEqual({ 201: 100 });
    await eventually(() => expect(warned).toHaveBeenCalledTimes(1));
    expect(statusesOf(await times(100, () => signUp(backend, { headers })))).toEqual({ 201: 80, 429: 20 });
    await database.query('ALTER TABLE request_count_away RENAME TO request_count');
    // The count of all writes, which includes the rejected signups.
    await reconciled(200);
  });

  test('is cleaned of old minutes, also without traffic', async () => {
    await database.query("INSERT INTO request_count VALUES (1000, '0123456789012345678901', 7)");
    await start();
    await eventually(async () =>
      expect(await database.query('SELECT FROM request_count WHERE minute = 1000')).toHaveLength(0),
    );
  });
});

/** Waits until the table's highest count is the number of signups. */
const reconciled = (signups: number) =>
  eventually(async () => {
    const [row] = await database.query<{ total: number }>('SELECT max(count)::int AS total FROM request_count');
    expect(row?.total).toBe(signups);
  });
