import type { RequestSpan, Tracing } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { kindOf } from '../access-log.ts';

interface Traceable {
  readonly raw: object;
}

const spans = new WeakMap<object, RequestSpan>();

/** The span of a request; `undefined` where it is not traced. */
export const spanOf = ({ raw }: Traceable): RequestSpan | undefined => spans.get(raw);

/** Traces requests for pages and calls of the API, and sends what is left when the server closes. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', async (request) => {
    const { id, method, url, headers, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const kind = kindOf(url, route);
    if (kind === 'page' || kind === 'api') spans.set(request.raw, tracing.startRequest({ id, method, route, headers }));
  });
  app.addHook('onResponse', async (request, { statusCode }) => spanOf(request)?.end(statusCode));
  app.addHook('onClose', () => tracing.stop());
}
