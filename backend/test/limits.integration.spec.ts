import { errorBodySchema } from '@daybook/contract/api';
import { readEnvironment } from '@daybook/server';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { environmentSchema } from '../src/environment.ts';
import { anAddress, completionNotice, emergencyNotice, privacyRequest, signUp } from './support/factories.ts';
import { startBackend, type TestBackend, type TestResponse } from './support/test-backend.ts';
import { useDatabase } from './support/use-backend.ts';

// Which requests a limit counts, and how, is tested in src/limits/rate-limits.spec.ts; these are its defaults.

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

/** Stops the clock, so that no window ends during a test. */
beforeEach(() => {
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});

afterEach(async () => {
  jest.restoreAllMocks();
  for (const backend of running.splice(0)) await backend.stop();
});

async function start(changes: Partial<typeof defaults> = {}): Promise<TestBackend> {
  const backend = await startBackend({ DATABASE_URL: database.url, ...defaults, ...changes });
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
  expect(wait).toBeLessThanOrEqual(60);
  expect(body).toEqual({
    statusCode: 429,
    message: `There were too many requests at once. Please try again in ${wait} seconds.`,
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

  test('hundreds of signups and emergency notices with one address, in any spelling and from many networks', async () => {
    const backend = await start();
    const spellings = ['mallory@example.com', 'Mallory@example.com', 'MALLORY@example.com'];
    const responses = await times(150, () =>
      signUp(backend, { email: spellings[networks % 3] as string, headers: fromNewNetwork() }),
    );
    expect(statusesOf(responses)).toEqual({ 201: 120, 429: 30 });
    expectRateLimited(responses.at(-1));
    const notice = emergencyNotice({ email: 'mallory@example.com' });
    const headers = fromNewNetwork();
    expectRateLimited(await backend.request('POST', '/api/emergency-webhook', { json: notice, headers }));
  });

  test('more than ten privacy requests a minute from one network', async () => {
    const backend = await start({ PRIVACY_REQUESTS: 'record' });
    const headers = fromNewNetwork();
    const make = () => backend.request('POST', '/api/privacy-requests', { json: privacyRequest(), headers });
    const responses = await times(20, make);
    expect(statusesOf(responses)).toEqual({ 201: 10, 429: 10 });
    expectRateLimited(responses.at(-1));
  });
});

test('invalid signups do not use up the limit for everybody', async () => {
  const backend = await start({ LIMIT_GLOBAL_SIGNUPS: 2 });
  await times(50, () => signUp(backend, { email: 'nobody', headers: fromNewNetwork() }));
  const responses = await times(5, () => signUp(backend, { headers: fromNewNetwork() }));
  expect(statusesOf(responses)).toEqual({ 201: 2, 429: 3 });
  expectRateLimited(responses.at(-1));
});

test('each backend counts alone', async () => {
  const [one, other] = [await start(), await start()];
  const headers = fromNewNetwork();
  for (const backend of [one, other])
    expect(statusesOf(await times(200, () => signUp(backend, { headers })))).toEqual({ 201: 180, 429: 20 });
});
