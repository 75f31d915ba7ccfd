import { networkOf } from '@daybook/server';
import type { RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Networks that are counted; bounds the memory. Beyond, the least recently seen one is forgotten, so that a flood from very
 * many networks locks out nobody else.
 */
const maxNetworks = 20_000;

/**
 * Creates a counter of the wrong requests of each client's network per minute, such as those with a wrong token. Only a
 * request that is wrong may be counted and rejected: whoever has the right token must not be locked out by a stranger
 * behind the same IP address. That a correct guess is never rejected helps nobody, because tokens are random.
 *
 * @param app with the plugin `@fastify/rate-limit`
 * @returns a function that counts a wrong request, and returns the seconds that its network has to wait; `undefined` up
 *   to the maximum
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
