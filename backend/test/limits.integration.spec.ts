import { errorBodySchema } from '@daybook/contract';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { eventually } from '../../shell/server/test/eventually.ts';
import { environmentSchema, readEnvironment } from '../src/environment.ts';
import { windowLength } from '../src/limits/sliding-counts.ts';
import { anAddress, completionNotice, emergencyNotice, privacyRequest, signUp } from './support/factories.ts';
import { type Answer, startBackend, type TestBackend } from './support/test-backend.ts';
import { useDatabase } from './support/use-backend.ts';

const database = useDatabase();
let networks = 0;
const running: TestBackend[] = [];

/** The limits that hold where nobody says anything else. */
const {
  DATABASE_URL: _,
  COOKIE_SECRET: __,
  LOG_LEVEL: ___,
  ...defaults
} = readEnvironment(environmentSchema, {
  DATABASE_URL: 'postgres://localhost/x',
  COOKIE_SECRET: 'a'.repeat(32),
});

/** Each test begins a quarter of a minute in, so that no minute ends under it. */
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

/** Headers of a client in a network that no test used before. */
const fromNewNetwork = () => ({ 'x-forwarded-for': `198.51.${++networks >> 8}.${networks & 255}` });

const statusesOf = (answers: readonly Answer[]) => {
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  return Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].sort().map((each) => [each, count(each)]),
  );
};
const times = <Result>(count: number, make: () => Promise<Result>) => Promise.all(Array.from({ length: count }, make));

/** Everything that the site calls from the first page to the thank-you page. */
async function journey(backend: TestBackend, headers: Record<string, string>): Promise<Answer[]> {
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

function expectRefused(answer: Answer | undefined): void {
  const body = errorBodySchema.parse(answer?.body);
  const wait = Number(answer?.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(120);
  expect(body).toEqual({
    statusCode: 429,
    message: expect.stringMatching(/^There were too many requests at once\. Please try again in (a|\d+) seconds?\.$/),
    error: 'TOO_MANY_REQUESTS',
  });
}

describe('what people do is let through', () => {
  test('60 people of one office sign up in a minute, and go on to the thank-you page', async () => {
    const backend = await start();
    const office = fromNewNetwork();
    const answers = (await times(60, () => journey(backend, office))).flat();
    // The cookie is not sent along: looking up by address is answered as to another browser.
    expect(statusesOf(answers)).toEqual({ 200: 300, 201: 60, 404: 60 });
  });

  test('50 signups at once with one address', async () => {
    const backend = await start();
    const headers = fromNewNetwork();
    const email = anAddress();
    expect(statusesOf(await times(50, () => signUp(backend, { email, headers })))).toEqual({ 201: 50 });
  });
});

describe('what only a script does is stopped', () => {
  test('hundreds of signups from one network, while others sign up', async () => {
    const backend = await start();
    const headers = fromNewNetwork();
    const answers = await times(400, () => signUp(backend, { headers }));
    expect(statusesOf(answers)).toEqual({ 201: 180, 429: 220 });
    expectRefused(answers.at(-1));
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
    const answers = await times(600, () => backend.request('PUT', '/api/waitlist/5/complete', { headers }));
    expect(statusesOf(answers)).toEqual({ 404: 480, 429: 120 });
    expectRefused(answers.at(-1));
  });

  test('hundreds of lookups by address from one network', async () => {
    const backend = await start();
    const headers = fromNewNetwork();
    const look = () => backend.request('GET', `/api/waitlist/by-email?email=${anAddress()}`, { headers });
    const answers = await times(350, look);
    expect(statusesOf(answers)).toEqual({ 404: 300, 429: 50 });
    expectRefused(answers.at(-1));
    expect((await signUp(backend, { headers })).status).toBe(201);
  });

  test('one address from many networks, however it is written', async () => {
    const backend = await start();
    const spellings = ['mallory@example.com', ' mallory@EXAMPLE.com', 'mallory@example.com '];
    const answers = await times(150, () =>
      signUp(backend, { email: spellings[networks % 3] as string, headers: fromNewNetwork() }),
    );
    expect(statusesOf(answers)).toEqual({ 201: 120, 429: 30 });
    expectRefused(answers.at(-1));
    const notice = emergencyNotice({ email: 'mallory@example.com' });
    const headers = fromNewNetwork();
    expectRefused(await backend.request('POST', '/api/emergency-webhook', { json: notice, headers }));
  });

  test('a script that changes its IPv6 address within its network', async () => {
    const backend = await start();
    let host = 0;
    const headers = () => ({ 'x-forwarded-for': `2001:db8:7:7::${(++host).toString(16)}` });
    expect(statusesOf(await times(200, () => signUp(backend, { headers: headers() })))).toEqual({ 201: 180, 429: 20 });
  });
});

describe('all signups together', () => {
  test('are limited, and emergency notices by a count of their own', async () => {
    const backend = await start({ LIMIT_GLOBAL_SIGNUPS: 2 });
    const answers = await times(5, () => signUp(backend, { headers: fromNewNetwork() }));
    expect(statusesOf(answers)).toEqual({ 201: 2, 429: 3 });
    expectRefused(answers.at(-1));
    const notify = () => backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice() });
    expect(statusesOf(await times(3, notify))).toEqual({ 200: 2, 429: 1 });
  });
});

describe('two backends on one database', () => {
  test('share their limits', async () => {
    const [one, other] = [await start(), await start()];
    const headers = fromNewNetwork();
    expect(statusesOf(await times(180, () => signUp(one, { headers })))).toEqual({ 201: 180 });
    await reconciled(180);
    // The other one hears of them with the first report of its own, at a twentieth of the limit.
    await times(9, () => signUp(other, { headers }));
    await eventually(async () => expect((await signUp(other, { headers })).status).toBe(429));
    const answers = await times(50, () => signUp(other, { headers }));
    expect(statusesOf(answers)).toEqual({ 429: 50 });
  });
});

describe('the shared table', () => {
  test('holds neither addresses nor networks', async () => {
    const backend = await start({ LIMIT_NETWORK_SIGNUPS: 20, LIMIT_ADDRESS_SIGNUPS: 20 });
    await signUp(backend, { email: 'ada@example.com', headers: { 'x-forwarded-for': '203.0.113.77' } });
    await reconciled(1);
    const stored = JSON.stringify(await database.query('SELECT * FROM request_count'));
    expect(stored).not.toMatch(/example|203\.0/);
  });

  test('is not needed to go on counting', async () => {
    const backend = await start();
    const headers = fromNewNetwork();
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await database.query('ALTER TABLE request_count RENAME TO request_count_away');
    expect(statusesOf(await times(100, () => signUp(backend, { headers })))).toEqual({ 201: 100 });
    await eventually(() => expect(warned).toHaveBeenCalledTimes(1));
    expect(statusesOf(await times(100, () => signUp(backend, { headers })))).toEqual({ 201: 80, 429: 20 });
    await database.query('ALTER TABLE request_count_away RENAME TO request_count');
    // Of all writes, those that were refused as signups too.
    await reconciled(200);
  });

  test('is emptied of old minutes, also while nobody comes', async () => {
    await database.query("INSERT INTO request_count VALUES (1000, '0123456789012345678901', 7)");
    await start();
    await eventually(async () =>
      expect(await database.query('SELECT FROM request_count WHERE minute = 1000')).toHaveLength(0),
    );
  });
});

/** Waits until the table has as many signups in all as given. */
const reconciled = (signups: number) =>
  eventually(async () => {
    const [row] = await database.query<{ total: number }>('SELECT max(count)::int AS total FROM request_count');
    expect(row?.total).toBe(signups);
  });
