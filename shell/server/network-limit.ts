import { networkOf } from '@daybook/server';
import type { RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Networks that are counted; beyond, the least recently seen one is forgotten. */
const maxNetworks = 20_000;

/**
 * Counts the wrong requests of each client's network per minute. Right ones are neither counted nor rejected: others behind
 * the same IP address must not lock anybody out.
 *
 * @param app with the plugin `@fastify/rate-limit`
 * @returns a function that counts a wrong request, and returns the seconds that its network has to wait
 */
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
