import { bearerTokenOf, findOperatorToken, type OperatorToken, operatorTokenNeeded } from '@daybook/server';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Metrics } from './metrics.ts';

/** Counts every request and, where there are operator tokens, serves `GET /metrics` to requests with one of them. */
export function registerMetrics(app: NestFastifyApplication, tokens: readonly OperatorToken[]): void {
  const metrics = app.get(Metrics);
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? 'unknown';
    metrics.countRequest({ method, route, status: statusCode, duration: elapsedTime / 1000 });
    done();
  });
  if (tokens.length === 0) return;
  server.get('/metrics', async (request, reply) => {
    if (!findOperatorToken(tokens, bearerTokenOf(request.headers.authorization))) {
      return reply.code(401).header('WWW-Authenticate', 'Bearer').type('text/plain').send(operatorTokenNeeded);
    }
    const { contentType, text } = await metrics.render();
    return reply.type(contentType).send(text);
  });
}
