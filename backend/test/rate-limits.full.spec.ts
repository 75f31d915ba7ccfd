import rateLimit from '@fastify/rate-limit';
import { expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { heapUsed } from '../../shell/server/test/heap.ts';
import { registerRateLimits } from '../src/limits/rate-limits.ts';
import { Metrics } from '../src/metrics.ts';

test('signups from 110,000 networks with as many addresses cost bounded memory, and get nobody rejected', async () => {
  const app = Fastify();
  await app.register(rateLimit, { global: false });
  const limits = {
    LIMIT_NETWORK_WRITES: 480,
    LIMIT_NETWORK_SIGNUPS: 180,
    LIMIT_NETWORK_LOOKUPS: 300,
    LIMIT_NETWORK_PRIVACY_REQUESTS: 10,
    LIMIT_ADDRESS_SIGNUPS: 120,
    LIMIT_ADDRESS_PRIVACY_REQUESTS: 5,
    LIMIT_GLOBAL_SIGNUPS: 1_000_000,
  };
  // Calls the hooks directly: as HTTP requests, these signups would take minutes.
  const hooks: ((request: FastifyRequest) => Promise<void>)[] = [];
  const server = { createRateLimit: app.createRateLimit, addHook: (_: string, hook: never) => hooks.push(hook) };
  registerRateLimits(
    server as unknown as FastifyInstance,
    limits,
    new Metrics({ driver: {} } as never, { VERSION: 'x', REVISION: 'x' }),
  );
  const signUp = async (number: number) => {
    const ip = `2001:db8:${(number & 0xffff).toString(16)}:${(number >> 16).toString(16)}::1`;
    const body = { email: `reader${number}@example.com` };
    const request = { method: 'POST', routeOptions: { url: '/api/waitlist' }, ip, body } as unknown as FastifyRequest;
    for (const hook of hooks) await hook(request);
  };
  const heaps: number[] = [];
  for (let number = 0; number < 110_000; number += 1) {
    if (number % 55_000 === 0) heaps.push(heapUsed());
    await signUp(number);
  }
  heaps.push(heapUsed());
  const [, full = 0, later = 0] = heaps;
  // Without a bound, 55,000 more keys of five limits take 75 MB or more.
  expect(later - full).toBeLessThan(20_000_000);
});
