import { accessLine, requestIdHeader } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { isOfApi } from './failures.ts';

/**
 * Gives each answer the id by which its lines in the logs are found, and tells of calls of the API that change
 * something. Pages and files are counted, not logged.
 */
export function registerAccessLog(app: FastifyInstance): void {
  // Otherwise only calls of the API are logged; pages and files are counted.
  const logsEveryRequest = app.log.level === 'debug' || app.log.level === 'trace';
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    done();
  });
  app.addHook('onResponse', ({ method, url, routeOptions, log }, { statusCode, elapsedTime }, done) => {
    const isApi = isOfApi(url);
    if (!isApi && !logsEveryRequest) return done();
    const { level, fields, message } = accessLine({
      method,
      route: routeOptions.url ?? 'unknown',
      status: statusCode,
      duration: elapsedTime,
    });
    log[isApi ? level : 'debug'](fields, message);
    done();
  });
}
