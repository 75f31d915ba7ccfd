import { accessLine, requestIdHeader } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { isOfApi } from './error-responses.ts';

/**
 * Sets the id of each request, which its lines in the logs have, on its response. Logs calls of the API, and every
 * request at the level debug: pages and files are counted, not logged.
 */
export function registerAccessLog(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    done();
  });
  app.addHook('onResponse', ({ method, url, routeOptions, log }, { statusCode, elapsedTime }, done) => {
    const { level, fields, message } = accessLine({
      method,
      route: routeOptions.url ?? 'unknown',
      status: statusCode,
      duration: elapsedTime,
    });
    log[isOfApi(url) ? level : 'debug'](fields, message);
    done();
  });
}
