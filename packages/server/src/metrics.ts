import type { FastifyInstance } from 'fastify';
import { bearerTokenOf, isSameSecret } from './keys.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns a method as a metric label; unknown ones are `other`, which limits the number of values. */
export const methodLabel = (method: string): string => (methods.has(method) ? method : 'other');

/** Upper bounds of the latency buckets in seconds: from a cached page to a slow database. */
export const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Name, help and labels of the gauge with which both servers report their version; its value is always 1. */
export const buildInfo = {
  name: 'daybook_build_info',
  help: 'Version and commit of the server; always 1',
  labelNames: ['service', 'version', 'revision'],
} as const;

/** What a `Registry` of prom-client has. */
interface MetricsRegister {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Serves `GET /metrics` for Prometheus to requests with `METRICS_TOKEN`; not at all without such a token. */
export function serveMetrics(app: FastifyInstance, token: string | undefined, register: MetricsRegister): void {
  if (token === undefined) return;
  app.get('/metrics', async ({ headers }, reply) => {
    reply.header('Cache-Control', 'no-store');
    if (isSameSecret(token, bearerTokenOf(headers.authorization)))
      return reply.type(register.contentType).send(await register.metrics());
    const needed = 'Send the token of METRICS_TOKEN: Authorization: Bearer <token>\n';
    return reply.code(401).header('WWW-Authenticate', 'Bearer').type('text/plain').send(needed);
  });
}
