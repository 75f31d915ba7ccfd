import { operatorTokenNeeded } from '@daybook/contract/server';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';
import type { OperatorAccess } from './operator-access.ts';

/** `GET /metrics` for Prometheus, with `Authorization: Bearer <operator token>`; 401 without. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, access: OperatorAccess): void {
  app.get('/metrics', async (request, reply) => {
    if (!access.isAuthorization(request.headers.authorization)) {
      return reply.code(401).header('WWW-Authenticate', 'Bearer').type('text/plain').send(operatorTokenNeeded);
    }
    const { contentType, text } = await metrics.render();
    return reply.header('Cache-Control', 'no-store').type(contentType).send(text);
  });
}
