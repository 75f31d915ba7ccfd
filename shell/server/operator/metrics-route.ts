import { operatorTokenNeeded } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';
import { AccessError, type OperatorAccess } from './operator-access.ts';

/** `GET /metrics` for Prometheus, with `Authorization: Bearer <operator token>`; 401 without, 429 after too many wrong ones. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, access: OperatorAccess): void {
  app.get('/metrics', async (request, reply) => {
    try {
      if (request.headers.authorization === undefined) throw new AccessError(401, '');
      access.scriptOf(request);
    } catch (error) {
      if (!(error instanceof AccessError)) throw error;
      reply.code(error.statusCode).type('text/plain');
      return error.retryAfter === undefined
        ? reply.header('WWW-Authenticate', 'Bearer').send(operatorTokenNeeded)
        : reply.header('Retry-After', error.retryAfter).send(`${error.message}\n`);
    }
    const { contentType, text } = await metrics.render();
    return reply.header('Cache-Control', 'no-store').type(contentType).send(text);
  });
}
