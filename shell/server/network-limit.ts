import { networkOf } from '@daybook/server';
import type { RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const maxNetworks = 20_000;

/** Counts wrong requests only, by network and minute: others behind its IP may go on. Returns the seconds to wait. */
export function countWrongRequests(
  app: FastifyInstance,
  max: number,
): (request: FastifyRequest) => Promise<number | undefined> {
  const options: RateLimitOptions = {
    max,
    timeWindow: 60_000,
    cache: maxNetworks,
    keyGenerator: ({ ip }) => networkOf(ip),
  };
  const limit = app.createRateLimit(options);
  return async (request) => {
    const count = await limit(request);
    return count.isAllowed || !count.isExceeded ? undefined : Math.max(1, count.ttlInSeconds);
  };
}
