import { makePrivacyRequest, waitlistCalls } from '@daybook/contract/api';
import rateLimit from '@fastify/rate-limit';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { sendErrorResponse } from '../http/index.ts';
import { Metrics } from '../metrics.ts';
import { registerRateLimits } from './rate-limits.ts';

const minute = 60_000;
let now = 0;
beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
let server: FastifyInstance | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await server?.close();
});

const limits = {
  LIMIT_NETWORK_WRITES: 1_000,
  LIMIT_NETWORK_SIGNUPS: 3,
  LIMIT_NETWORK_LOOKUPS: 3,
  LIMIT_NETWORK_PRIVACY_REQUESTS: 2,
  LIMIT_ADDRESS_SIGNUPS: 1_000,
  LIMIT_ADDRESS_PRIVACY_REQUESTS: 1_000,
  LIMIT_GLOBAL_SIGNUPS: 1_000,
};
type Limits = typeof limits;

let read = 0;

/** Starts a server with the limits, whose handlers do nothing, and returns a function that sends requests to it. */
async function start(changes: Partial<Limits> = {}) {
  server = Fastify();
  await server.register(rateLimit, { global: false });
  server.setErrorHandler((error, _request, reply) => void sendErrorResponse(error, reply));
  registerRateLimits(
    server,
    { ...limits, ...changes },
    new Metrics({ driver: {} } as never, { VERSION: 'x', REVISION: 'x' }),
  );
  read = 0;
  server.addHook('preParsing', (_request, _reply, _payload, done) => {
    read += 1;
    done();
  });
  server.all('/*', () => 'unknown');
  for (const { method, path } of [...Object.values(waitlistCalls), makePrivacyRequest])
    server.route({ method, url: path.replace(/\{(\w+)\}/g, ':$1'), handler: () => 'done' });
  const instance = server;
  return async (remoteAddress: string, email = 'ada@example.com', url = '/api/waitlist') => {
    const payload = JSON.stringify({ email, source: 'page', timestamp: '2026-01-02T03:04:05Z' });
    const headers = { 'content-type': 'application/json' };
    return (await instance.inject({ method: 'POST', url, payload, headers, remoteAddress })).statusCode;
  };
}

const accepted = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length;

/** Sends one request after the other. */
async function series<Made>(count: number, make: (index: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (let index = 0; index < count; index += 1) made.push(await make(index));
  return made;
}

describe('a network', () => {
  test.each([
    ['an IPv4 address', () => '192.0.2.7'],
    ['an IPv4 address in IPv6 notation', (index: number) => (index % 2 === 0 ? '192.0.2.7' : '::ffff:192.0.2.7')],
    ['the addresses of a /64', (index: number) => `2001:db8:7:7::${index + 1}`],
  ])('has the limit: %s', async (_what, addressOf) => {
    const signUp = await start();
    expect(await series(5, (index) => signUp(addressOf(index)))).toEqual([200, 200, 200, 429, 429]);
    expect(await signUp('198.51.100.1')).toBe(200);
  });

  test('of a customer, an IPv6 /48, has four times the limit', async () => {
    const signUp = await start();
    expect(accepted(await series(100, (index) => signUp(`2001:db8:7:${index.toString(16)}::1`)))).toBe(12);
    expect(await signUp('2001:db8:8::1')).toBe(200);
  });

  test('is counted before its body is read', async () => {
    const signUp = await start();
    await series(10, () => signUp('192.0.2.7', 'nobody'));
    expect(read).toBe(3);
  });

  test('may send again a minute after its first request', async () => {
    const signUp = await start();
    await series(9, () => signUp('192.0.2.7'));
    now += minute - 1;
    expect(await signUp('192.0.2.7')).toBe(429);
    now += 1;
    expect(accepted(await series(9, () => signUp('192.0.2.7')))).toBe(3);
  });

  test.each([
    ['PUT', '/api/waitlist/7/complete'],
    ['POST', '/api/unknown'],
    ['DELETE', '/unknown'],
  ])('is limited in all that may write, also where nothing is: %s %s', async (method, url) => {
    await start({ LIMIT_NETWORK_WRITES: 2 });
    const send = () => server?.inject({ method: method as 'PUT', url, remoteAddress: '192.0.2.7' });
    expect(await series(3, async () => (await send())?.statusCode)).toEqual([200, 200, 429]);
  });

  test('is limited in lookups, and not in other reads', async () => {
    await start();
    const get = (url: string) => async () => (await server?.inject({ url }))?.statusCode;
    expect(await series(4, get('/api/waitlist/by-email?email=a@b.co'))).toEqual([200, 200, 200, 429]);
    expect(await series(4, get('/healthz'))).toEqual([200, 200, 200, 200]);
  });
});

describe('the limit for everybody', () => {
  test('counts signups, emergency notices and privacy requests separately', async () => {
    const send = await start({ LIMIT_GLOBAL_SIGNUPS: 2 });
    for (const url of ['/api/waitlist', '/api/emergency-webhook'])
      expect(await series(3, (index) => send(`192.0.2.${index}`, undefined, url))).toEqual([200, 200, 429]);
  });

  test('is not used up by invalid requests', async () => {
    const signUp = await start({ LIMIT_GLOBAL_SIGNUPS: 2 });
    await series(50, (index) => signUp(`192.0.2.${index}`, 'nobody'));
    expect(await signUp('198.51.100.1')).toBe(200);
  });

  test('leaves at least 90 % of other visitors their signup while one customer sends from 256 networks', async () => {
    // The proportions of the defaults.
    const signUp = await start({ LIMIT_GLOBAL_SIGNUPS: 100 });
    let honest = 0;
    for (let network = 0; network < 256; network += 1) {
      await series(3, () => signUp(`2001:db8:7:${network.toString(16)}::1`, `attacker${network}@example.com`));
      if (network % 3 === 0) honest += (await signUp(`198.51.100.${network}`)) === 200 ? 1 : 0;
    }
    expect(honest).toBeGreaterThanOrEqual(0.9 * 86);
  });
});

test('an address has its limit in any spelling', async () => {
  const send = await start({ LIMIT_ADDRESS_SIGNUPS: 3 });
  const spellings = ['ada@example.com', 'ADA@example.com', 'mailto:Ada@Example.com', ' ada@example.com '];
  const statuses = await series(4, (index) => send(`192.0.2.${index}`, spellings[index]));
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(await send('192.0.2.99', 'ada@example.com', '/api/emergency-webhook')).toBe(429);
  expect(await send('192.0.2.99', 'grace@example.com')).toBe(200);
});
