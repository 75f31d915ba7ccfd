import { accessLine, requestIdHeader } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { isOfApi } from './failures.ts';

/** Whether answers for pages and files are told, too, and not calls of the API alone. */
export const tellsOfEach = (level: string): boolean => level === 'debug' || level === 'trace';

/**
 * Gives each answer the id by which its lines in the logs are found, and tells of calls of the API that change
 * something. Pages and files are counted, not logged.
 */
export function registerAccessLog(app: FastifyInstance): void {
  const isTelling = tellsOfEach(app.log.level);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    done();
  });
  app.addHook('onResponse', ({ method, url, routeOptions, log }, { statusCode, elapsedTime }, done) => {
    const isApi = isOfApi(url);
    if (!isApi && !isTelling) return done();
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
