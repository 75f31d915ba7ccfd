import { isBearerOf, operatorTokenNeeded } from '@daybook/server';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Metrics } from './metrics.ts';

/** Counts every request and, where there is an operator token, serves `GET /metrics` to who has it. */
export function registerMetrics(app: NestFastifyApplication, operatorToken: string | undefined): void {
  const metrics = app.get(Metrics);
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? 'unknown';
    metrics.countRequest({ method, route, status: statusCode, duration: elapsedTime / 1000 });
    done();
  });
  if (operatorToken === undefined) return;
  server.get('/metrics', async (request, reply) => {
    if (!isBearerOf(operatorToken, request.headers.authorization)) {
      return reply.code(401).header('WWW-Authenticate', 'Bearer').type('text/plain').send(operatorTokenNeeded);
    }
    const { contentType, text } = await metrics.render();
    return reply.type(contentType).send(text);
  });
}
