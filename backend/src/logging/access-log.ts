import { accessLine, requestIdHeader } from '@daybook/server';
import type { FastifyInstance } from 'fastify';

/** Tells of each answered request, and gives each answer the id by which its lines are found. */
export function registerAccessLog(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header(requestIdHeader, request.id);
    done();
  });
  server.addHook('onResponse', ({ method, routeOptions, log }, { statusCode, elapsedTime }, done) => {
    const { level, fields, message } = accessLine({
      method,
      route: routeOptions.url ?? 'unknown',
      status: statusCode,
      duration: elapsedTime,
    });
    log[level](fields, message);
    done();
  });
}
