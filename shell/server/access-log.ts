import { accessLine, requestIdHeader } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { isOfApi } from './error-responses.ts';

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

export interface AnsweredRequest {
  readonly kind: 'page' | 'file' | 'api' | 'other';
  readonly method: string;
  readonly status: number;
  /** In seconds. */
  readonly duration: number;
}

/** What was asked for; `pattern` is that of the route that answers, if there is one. */
export function kindOf(url: string, pattern: string): AnsweredRequest['kind'] {
  if (isOfApi(url)) return 'api';
  if (pattern === '/*') return 'page';
  return /^\/(?:assets|remotes)\//.test(url) || /\.\w+$/.test(pattern) ? 'file' : 'other';
}

/** Hands each answered request over to be counted. */
export function countRequests(app: FastifyInstance, count: (request: AnsweredRequest) => void): void {
  app.addHook('onResponse', ({ method, url, routeOptions }, { statusCode, elapsedTime }, done) => {
    count({ kind: kindOf(url, routeOptions.url ?? ''), method, status: statusCode, duration: elapsedTime / 1000 });
    done();
  });
}
