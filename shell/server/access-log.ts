import { accessLine, requestIdHeader } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { isOfApi } from './failures.ts';

/**
 * Gives each answer the id by which its lines in the logs are found, and tells of calls of the API that change
 * something. Pages and files are counted, not logged.
 */
export function registerAccessLog(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(requestIdHeader, request.id);
  });
  app.addHook('onResponse', async ({ method, url, routeOptions, log }, { statusCode, elapsedTime }) => {
    const { level, fields, message } = accessLine({
      method,
      route: routeOptions.url ?? 'unknown',
      status: statusCode,
      duration: elapsedTime,
    });
    log[isOfApi(url) ? level : 'debug'](fields, message);
  });
}
