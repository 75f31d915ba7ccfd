import { networkOf } from '@daybook/server';
import type { RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Networks that are counted; bounds the memory. Beyond, the least recently seen one is forgotten, so that a flood from very
 * many networks locks out nobody else.
 */
const maxNetworks = 20_000;

/**
 * Limits the wrong requests of a client's network per minute, such as those with a wrong token; others are not counted.
 *
 * @param app with the plugin `@fastify/rate-limit`
 */
export function limitByNetwork(app: FastifyInstance, max: number) {
  const options: RateLimitOptions = {
    max,
    timeWindow: 60_000,
    cache: maxNetworks,
    keyGenerator: ({ ip }) => networkOf(ip),
  };
  const limit = app.createRateLimit(options);
  return {
    /** Returns the seconds that a network beyond the limit has to wait; `undefined` for others. */
    async waitOf(request: FastifyRequest): Promise<number | undefined> {
      const soFar = await limit(request, { increment: false });
      return soFar.isAllowed || soFar.remaining > 0 ? undefined : Math.max(1, soFar.ttlInSeconds);
    },
    /** Counts a wrong request. */
    count: (request: FastifyRequest) => limit(request),
  };
}
