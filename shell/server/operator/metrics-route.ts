import { operatorTokenNeeded } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';
import type { Gate } from './releases-page/gate.ts';

/** `GET /metrics` for Prometheus, with `Authorization: Bearer <operator token>`; 401 without, 429 after too many wrong ones. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, gate: Gate): void {
  app.get('/metrics', async (request, reply) => {
    const { authorization } = request.headers;
    const letIn =
      authorization !== undefined && gate.tryToken(request, () => gate.access.isAuthorization(authorization));
    if (typeof letIn === 'number')
      return reply.code(429).header('Retry-After', letIn).type('text/plain').send('Too many wrong operator tokens.\n');
    if (!letIn) {
      return reply.code(401).header('WWW-Authenticate', 'Bearer').type('text/plain').send(operatorTokenNeeded);
    }
    const { contentType, text } = await metrics.render();
    return reply.header('Cache-Control', 'no-store').type(contentType).send(text);
  });
}
