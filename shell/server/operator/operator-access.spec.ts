import { heapUsed } from '@daybook/testing/heap';
import rateLimit from '@fastify/rate-limit';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { RequestError } from '../request-error.ts';
import { operatorToken } from '../test/operator.ts';
import { maxFailures, OperatorAccess } from './operator-access.ts';

describe('wrong tokens', () => {
  let now = 0;
  let app: FastifyInstance;
  let access: OperatorAccess;
  beforeEach(async () => {
    now = 1_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    app = Fastify();
    await app.register(rateLimit, { global: false });
    access = new OperatorAccess(app, [{ token: operatorToken }]);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await app.close();
  });

  /** Sends a token; returns 200, or the status of the rejection. */
  const send = (ip: string, token = 'wrong') => {
    const headers = { authorization: `Bearer ${token}` };
    const request = { ip, headers, routeOptions: {}, log: { warn: () => undefined } } as unknown as FastifyRequest;
    return access.nameOfScript(request).then(
      () => 200,
      (error: RequestError) => error.statusCode,
    );
  };
  /** Sends wrong tokens at once; returns how many of them were checked. */
  const guess = async (ip: string, times: number) =>
    (await Promise.all(Array.from({ length: times }, () => new Promise(setImmediate).then(() => send(ip))))).filter(
      (status) => status === 401,
    ).length;

  test('are rate limited by network for a minute from the first, and never lock out the correct one', async () => {
    for (let time = 0; time < 2 * maxFailures; time += 1) await send('192.0.2.1', operatorToken);
    expect(await guess('192.0.2.1', 100)).toBe(maxFailures);
    now += 59_999;
    expect(await send('192.0.2.1')).toBe(429);
    expect(await send('192.0.2.1', operatorToken)).toBe(200);
    expect(await send('192.0.2.2')).toBe(401);
    now += 1;
    expect(await send('192.0.2.1')).toBe(401);
    // All addresses of a /64 are one network.
    for (let host = 1; host <= maxFailures; host += 1) await send(`2001:db8:7:7::${host}`);
    expect(await send('2001:db8:7:7::77')).toBe(429);
  });

  test('of 110,000 networks lock no operator out, and cost bounded memory', async () => {
    // The fake clock would store each of its calls, and stacks of errors take most of the time.
    jest.restoreAllMocks();
    jest.replaceProperty(Error, 'stackTraceLimit', 0);
    const flood = async (from: number, to: number) => {
      for (let number = from; number < to; number += 1)
        await send(`10.${number >> 16}.${(number >> 8) & 0xff}.${number & 0xff}`);
      return heapUsed();
    };
    const full = await flood(0, 30_000);
    const later = await flood(30_000, 110_000);
    // Without a bound, 80,000 more networks take 16 MB or more.
    expect(later - full).toBeLessThan(4_000_000);
    // Neither an unknown network nor one that sent wrong tokens is locked out.
    for (const ip of ['192.0.2.1', '10.0.0.1', '10.1.173.175']) expect(await send(ip, operatorToken)).toBe(200);
  });
});
