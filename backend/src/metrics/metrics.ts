import { waitlistCalls } from '@daybook/contract/api';
import { buildInfo, latencyBuckets, methodLabel } from '@daybook/server';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ConnectionPool } from '../database/index.ts';
import { type Environment, environmentToken } from '../environment.ts';

/** The backlog of the outbox. */
export interface OutboxState {
  /** Events that are neither delivered nor dead. */
  readonly depth: number;
  /** Age of the oldest of them, in seconds; 0 if there is none. */
  readonly oldestAge: number;
}

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
    for (const outcome of ['stored', 'suspected', 'refused', 'limited', 'unavailable', 'failed'] as const)
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
    const failure = method === signUp.method && route === signUp.path ? signupFailure(status) : undefined;
    if (failure) this.signups.inc({ outcome: failure });
  }

  /** Starts the count of attempts at 0. Without `WEBHOOK_URL` the metric has no series, so no alert expects a delivery. */
  startCountingAttempts(): void {
    for (const outcome of ['delivered', 'failed', 'dead'] as const) this.attempts.inc({ outcome }, 0);
  }

  /** Adds the metrics of the outbox's backlog; `read` is called for each scrape. */
  watchOutbox(read: () => Promise<OutboxState>): void {
    // One read for both: gauges are collected in the order in which they were added.
    let state: Promise<OutboxState>;
    this.addGauge('daybook_outbox_depth', 'Events in the outbox that are neither delivered nor dead', async () => {
      state = read();
      return (await state).depth;
    });
    this.addGauge(
      'daybook_outbox_oldest_age_seconds',
      'Age of the oldest event in the outbox that is neither delivered nor dead',
      async () => (await state).oldestAge,
    );
  }

  /** Adds the metric of overdue privacy requests; `count` is called for each scrape. */
  watchPrivacyRequests(count: () => Promise<number>): void {
    this.addGauge('daybook_privacy_requests_overdue', 'Privacy requests that are open after their due date', count);
  }

  /** Adds a gauge that is read for each scrape; NaN while the database is unreachable, so that the others stay readable. */
  private addGauge(name: string, help: string, read: () => Promise<number>): void {
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

/** Returns why a signup failed, by the status of its response; `undefined` if it succeeded. */
function signupFailure(status: number): 'refused' | 'limited' | 'unavailable' | 'failed' | undefined {
  if (status < 300) return undefined;
  if (status === 429) return 'limited';
  if (status < 500) return 'refused';
  return status === 503 ? 'unavailable' : 'failed';
}
