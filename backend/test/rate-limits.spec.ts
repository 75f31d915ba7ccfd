import { errorBodySchema } from '@daybook/contract/api';
import { Drain, readEnvironment } from '@daybook/server';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConnectionPool } from '../src/database/index.ts';
import { environmentSchema, environmentToken } from '../src/environment.ts';
import { HttpModule } from '../src/http/http.module.ts';
import { fastifyOptions, prepareServer } from '../src/http/server.ts';
import { MetricsModule } from '../src/metrics/index.ts';
import { PrivacyRequestsController, PrivacyRequestsService } from '../src/privacy-requests/index.ts';
import { WaitlistController, WaitlistService } from '../src/waitlist/index.ts';

const minute = 60_000;
let now = 0;
beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
let app: NestFastifyApplication | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await app?.close();
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
const defaults = readEnvironment(environmentSchema, {
  DATABASE_URL: 'postgres://localhost/x',
  COOKIE_SECRET: 'a'.repeat(32),
  LOG_LEVEL: 'silent',
  TRUSTED_PROXIES: '0',
});

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url?: string;
  readonly email?: string;
}

let bodiesRead = 0;

/** Provides a service whose methods do nothing. */
const idle = (provide: Type) => ({
  provide,
  useValue: new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : async () => ({})) }),
});

/** Starts the controllers with services that do nothing, and returns a function that sends requests to them. */
async function start(changes: Partial<typeof limits> = {}) {
  const environment = { ...defaults, ...limits, ...changes };
  const adapter = new FastifyAdapter(fastifyOptions(environment));
  const server = adapter.getInstance();
  await prepareServer(server, environment, new Drain());
  bodiesRead = 0;
  server.addHook('preParsing', (_request, _reply, _payload, done) => {
    bodiesRead += 1;
    done();
  });
  const shared = [
    { provide: environmentToken, useValue: environment },
    { provide: ConnectionPool, useValue: {} },
  ];
  const module = {
    global: true,
    module: class {},
    imports: [HttpModule, MetricsModule],
    controllers: [WaitlistController, PrivacyRequestsController],
    providers: [...shared, ...[WaitlistService, PrivacyRequestsService].map(idle)],
    exports: shared,
  };
  app = await NestFactory.create<NestFastifyApplication>(module, adapter, { logger: false, bodyParser: false });
  await app.init();
  // Of all calls that create something.
  const body = { kind: 'unsubscribe', pageVersion: 'mf-privacy@1.0.0-3f9ac2d1', fields: {}, source: 'x' };
  return async (
    remoteAddress: string,
    { method = 'POST', url = '/api/waitlist', email = 'ada@example.com' }: Sent = {},
  ) => {
    const payload = method === 'POST' && { ...body, email, timestamp: '2026-01-02T03:04:05Z' };
    const {
      statusCode,
      headers,
      body: sent,
    } = await server.inject({ method, url, remoteAddress, ...(payload && { payload }) });
    // All that is not limited counts as accepted.
    return { statusCode: statusCode === 429 ? 429 : 200, headers, body: sent };
  };
}

/** Sends requests one after the other, and returns the status of each. */
async function statuses(count: number, send: (index: number) => Promise<{ readonly statusCode: number }>) {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) all.push((await send(index)).statusCode);
  return all;
}
describe('a network', () => {
  test.each([
    ['an IPv4, in any notation', (index: number) => (index % 2 === 0 ? '192.0.2.7' : '::ffff:192.0.2.7')],
    ['the IPs of a /64', (index: number) => `2001:db8:7:7::${index + 1}`],
  ])('has the limit, and may send again a minute after its first request: %s', async (_what, urlOf) => {
    const send = await start();
    const next = (count: number) => statuses(count, (index) => send(urlOf(index)));
    expect(await next(5)).toEqual([200, 200, 200, 429, 429]);
    expect((await send('198.51.100.1')).statusCode).toBe(200);
    now += 15_000;
    const response = await send(urlOf(0));
    expect(response.headers['retry-after']).toBe('45');
    const message = 'There were too many requests at once. Please try again in 45 seconds.';
    const body = { statusCode: 429, message, error: 'TOO_MANY_REQUESTS' };
    expect(errorBodySchema.parse(JSON.parse(response.body))).toEqual(body);
    now += minute - 15_000 - 1;
    expect(await next(1)).toEqual([429]);
    now += 1;
    expect(await next(5)).toEqual([200, 200, 200, 429, 429]);
  });

  test('of a customer, an IPv6 /48, has four times the limit', async () => {
    const send = await start();
    const all = await statuses(20, (index) => send(`2001:db8:7:${index.toString(16)}::1`));
    expect(all.filter((status) => status === 200)).toHaveLength(12);
    expect((await send('2001:db8:8::1')).statusCode).toBe(200);
  });

  test('is counted before its body is read', async () => {
    const send = await start();
    await statuses(10, () => send('192.0.2.7', { email: 'nobody' }));
    expect(bodiesRead).toBe(3);
  });

  test('is limited in all that may write, also where nothing is, and in no other reads than lookups', async () => {
    const send = await start({ LIMIT_NETWORK_WRITES: 2 });
    for (const [network, method, url, expected] of [
      ['192.0.2.1', 'PUT', '/api/waitlist/7/complete', [200, 200, 429, 429]],
      ['192.0.2.2', 'POST', '/api/unknown', [200, 200, 429, 429]],
      ['192.0.2.3', 'DELETE', '/unknown', [200, 200, 429, 429]],
      ['192.0.2.4', 'GET', '/api/waitlist/by-email?email=a@b.co', [200, 200, 200, 429]],
      ['192.0.2.5', 'GET', '/healthz', [200, 200, 200, 200]],
    ] as const)
      expect(await statuses(4, () => send(network, { method, url }))).toEqual(expected);
  });
});

test('the limit for everybody counts valid requests of each kind', async () => {
  const send = await start({ LIMIT_GLOBAL_SIGNUPS: 2 });
  await statuses(5, (index) => send(`192.0.2.${index}`, { email: 'nobody' }));
  for (const url of ['/api/waitlist', '/api/emergency-webhook', '/api/privacy-requests'])
    expect(await statuses(3, (index) => send(`192.0.2.${index}`, { url }))).toEqual([200, 200, 429]);
});

test('an email has its limit in any spelling', async () => {
  const send = await start({ LIMIT_ADDRESS_SIGNUPS: 3 });
  const spellings = ['ada@example.com', 'ADA@example.com', 'Ada@Example.com\u200b', ' ada@example.com '];
  const each = (index: number) => send(`192.0.2.${index}`, { email: String(spellings[index]) });
  expect(await statuses(4, each)).toEqual([200, 200, 200, 429]);
  const other = await send('192.0.2.99', { email: 'ada@example.com', url: '/api/emergency-webhook' });
  expect(other.statusCode).toBe(429);
  expect((await send('192.0.2.99', { email: 'grace@example.com' })).statusCode).toBe(200);
});
