import { buildInfo, latencyBuckets, methodLabel, serveMetrics } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Environment } from './environment.ts';
import { isOfApi } from './error-responses.ts';
import type { LiveSite } from './releases/live-site.ts';

function kindOf(url: string, pattern: string): 'page' | 'file' | 'api' | 'other' {
  if (isOfApi(url)) return 'api';
  if (pattern === '/*') return 'page';
  return /^\/(?:assets|remotes)\//.test(url) || /\.\w+$/.test(pattern) ? 'file' : 'other';
}

export class Metrics {
  readonly register = new Registry();
  readonly views = new Counter({
    name: 'daybook_page_views_total',
    help: 'Page views by remote and release',
    labelNames: ['remote', 'version'],
    registers: [this.register],
  });
  readonly failures = new Counter({
    name: 'daybook_remote_failures_total',
    help: 'Failures of remotes reported by pages, one per network, remote and minute; kind is load, render or hydration',
    labelNames: ['remote', 'version', 'kind'],
    registers: [this.register],
  });
  readonly failingNetworks = new Counter({
    name: 'daybook_failing_networks_total',
    help: 'Client networks that reported a failure of a remote, each once an hour; for alerts that no single client raises',
    labelNames: ['remote', 'version', 'kind'],
    registers: [this.register],
  });
  readonly problems = new Counter({
    name: 'daybook_release_problems_total',
    help: 'Rejected releases, and pages that could not be composed; the latter are counted once; reason is rejected or not-composed',
    labelNames: ['remote', 'reason'],
    registers: [this.register],
  });
  readonly requests = new Counter({
    name: 'daybook_shell_requests_total',
    help: 'Responses by kind (page, file, api or other), method and status',
    labelNames: ['kind', 'method', 'status'],
    registers: [this.register],
  });
  readonly latencies = new Histogram({
    name: 'daybook_shell_request_duration_seconds',
    help: 'Time from request to response, by kind',
    labelNames: ['kind'],
    buckets: latencyBuckets,
    registers: [this.register],
  });

  constructor() {
    collectDefaultMetrics({ register: this.register });
  }

  follow(live: LiveSite): void {
    const registers = [this.register];
    // From 0: Prometheus sees no increase in a counter that begins with 1.
    for (const { name: remote } of live.site.remotes)
      for (const reason of ['rejected', 'not-composed']) this.problems.inc({ remote, reason }, 0);
    new Gauge({
      name: 'daybook_release_registry_up',
      help: 'Whether this server can read and change releases: 1, or 0 while it serves what it last knew',
      registers,
      collect() {
        this.set(live.problem ? 0 : 1);
      },
    });
    new Gauge({
      name: 'daybook_release_share',
      help: 'Share of visitors that get a release, from 0 to 1',
      labelNames: ['remote', 'version'],
      registers,
      collect() {
        this.reset();
        for (const { name: remote, state } of live.site.remotes) {
          const share = (state?.percent ?? 0) / 100;
          if (state?.active) this.set({ remote, version: state.active }, 1 - share);
          if (state?.canary) this.set({ remote, version: state.canary }, share);
        }
      },
    });
    new Gauge({
      name: 'daybook_release_deployment_number',
      help: 'Number of the state of a remote',
      labelNames: ['remote'],
      registers,
      collect() {
        for (const { name: remote, state } of live.site.remotes) this.set({ remote }, state?.number ?? 0);
      },
    });
  }
}

export function registerMetrics(
  app: FastifyInstance,
  { register, requests, latencies }: Metrics,
  { METRICS_TOKEN: token, VERSION: version, REVISION: revision }: Environment,
): void {
  new Gauge({ ...buildInfo, registers: [register] }).set({ service: 'shell', version, revision }, 1);
  app.addHook('onResponse', ({ method, url, routeOptions }, { statusCode, elapsedTime }, done) => {
    const kind = kindOf(url, routeOptions.url ?? '');
    requests.inc({ kind, method: methodLabel(method), status: statusCode });
    latencies.observe({ kind }, elapsedTime / 1000);
    done();
  });
  serveMetrics(app, token, register);
}
