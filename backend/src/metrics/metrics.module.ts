import { serveMetrics } from '@daybook/server';
import { Inject, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { type Environment, environmentToken } from '../environment.ts';
import { Metrics } from './metrics.ts';

/**
 * Counts every request, and serves `GET /metrics` for Prometheus if there is a `METRICS_TOKEN`. A hook instead of an
 * interceptor, which would miss requests that end before a handler: those over a limit, and those without a route.
 */
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {
  constructor(
    { httpAdapter }: HttpAdapterHost,
    metrics: Metrics,
    @Inject(environmentToken) { METRICS_TOKEN }: Pick<Environment, 'METRICS_TOKEN'>,
  ) {
    const server = httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
      metrics.countRequest(method, routeOptions.url ?? 'unknown', statusCode, elapsedTime / 1000);
      done();
    });
    serveMetrics(server, METRICS_TOKEN, metrics.register);
  }
}
