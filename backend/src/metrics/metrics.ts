import { waitlistCalls } from '@daybook/contract/api';
import { buildInfo, latencyBuckets, methodLabel, serveMetrics } from '@daybook/server';
import { Global, Inject, Injectable, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ConnectionPool } from '../database/index.ts';
import { type Environment, environmentToken } from '../environment.ts';

/** Prometheus metrics of the backend. Labels never hold client input, which bounds the number of series. */
@Injectable()
export class Metrics {
  readonly register = new Registry();
  private readonly requests = new Counter({
    name: 'daybook_api_requests_total',
    help: 'Requests, by route pattern, method and response status',
    labelNames: ['route', 'method', 'status'],
    registers: [this.register],
  });
  private readonly latencies = new Histogram({
    name: 'daybook_api_request_duration_seconds',
    help: 'Time from request to response, by route pattern and method',
    labelNames: ['route', 'method'],
    buckets: latencyBuckets,
    registers: [this.register],
  });
  /** The waitlist counts stored signups, `countRequest` the failed ones by the status of their response. */
  readonly signups = new Counter({
    name: 'daybook_signups_total',
    help: 'Signups by outcome: stored, suspected (stored, with the honeypot field filled in), refused, limited, unavailable or failed',
    labelNames: ['outcome'],
    registers: [this.register],
  });
  readonly rateLimitHits = new Counter({
    name: 'daybook_rate_limit_hits_total',
    help: 'Requests rejected by a rate limit, by limit',
    labelNames: ['limit'],
    registers: [this.register],
  });
  readonly attempts = new Counter({
    name: 'daybook_webhook_attempts_total',
    help: 'Attempts to deliver an event by outcome: delivered, failed (retried later) or dead (stored, and not retried)',
    labelNames: ['outcome'],
    registers: [this.register],
  });

  constructor(
    pool: ConnectionPool,
    @Inject(environmentToken) { VERSION: version, REVISION: revision }: Pick<Environment, 'VERSION' | 'REVISION'>,
  ) {
    collectDefaultMetrics({ register: this.register });
    new Gauge({ ...buildInfo, registers: [this.register] }).set({ service: 'backend', version, revision }, 1);
    // From 0: Prometheus sees no increase in a counter that begins with 1.
    for (const outcome of ['stored', 'suspected', 'refused', 'limited', 'unavailable', 'failed'])
      this.signups.inc({ outcome }, 0);
    new Gauge({
      name: 'daybook_database_connections',
      help: 'Database connections, idle or busy, and requests that wait for one',
      labelNames: ['state'],
      registers: [this.register],
      collect() {
        this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'waiting' }, pool.waitingCount);
      },
    });
  }

  /**
   * @param route the route's pattern; `unknown` if no route matches
   * @param duration in seconds
   */
  countRequest(method: string, route: string, status: number, duration: number): void {
    const labels = { route, method: methodLabel(method) };
    this.requests.inc({ ...labels, status });
    this.latencies.observe(labels, duration);
    const { signUp } = waitlistCalls;
    if (method === signUp.method && route === signUp.path && status >= 300)
      this.signups.inc({ outcome: signupFailure(status) });
  }

  /** Adds a gauge that is read for each scrape; NaN while that fails, so that the others stay readable. */
  addGauge(name: string, help: string, read: () => Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.register],
      async collect() {
        this.set(await read().catch(() => Number.NaN));
      },
    });
  }
}

function signupFailure(status: number): 'refused' | 'limited' | 'unavailable' | 'failed' {
  if (status === 429) return 'limited';
  if (status < 500) return 'refused';
  return status === 503 ? 'unavailable' : 'failed';
}

/** Counts every request, also those that end before a handler, and serves `GET /metrics`. */
@Global()
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
