import type { RequestSpan, Tracing } from '@daybook/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DataSource } from 'typeorm';
import { requestContext } from '../logging/index.ts';

const healthChecks = new Set(['/healthz', '/readyz', '/metrics']);

/** Traces calls and the queries that they wait for, and sends what is left when the server closes. */
export function traceRequests(server: FastifyInstance, dataSource: DataSource, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  server.addHook('onRequest', (request, _reply, done) => {
    const { id, method, headers, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const context = requestContext();
    if (context && !healthChecks.has(route)) {
      context.span = tracing.startRequest({ id, method, route, headers });
      spans.set(request, context.span);
    }
    done();
  });
  server.addHook('onResponse', (request, { statusCode }, done) => {
    spans.get(request)?.end(statusCode);
    done();
  });
  server.addHook('onClose', () => tracing.stop());
  dataSource.subscribers.push({
    afterQuery: ({ query, executionTime = 0, success }) => {
      const span = requestContext()?.span;
      if (span) tracing.recordQuery(span, query, executionTime, !success);
    },
  });
}
