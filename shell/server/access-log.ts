import type { FastifyInstance } from 'fastify';
import { isOfApi } from './error-responses.ts';

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
