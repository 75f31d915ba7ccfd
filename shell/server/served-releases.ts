import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { DevelopmentReleases } from './development/development-releases.ts';
import { DistFolder } from './development/dist-folder.ts';
import type { Environment } from './environment.ts';
import { Metrics } from './metrics.ts';
import { registerMetrics } from './operator/metrics-route.ts';
import { OperatorAccess } from './operator/operator-access.ts';
import { registerReleasesPage } from './operator/releases-page/releases-page-routes.ts';
import { CanaryAnalysis } from './outcomes/canary-analysis.ts';
import { watchCanaries } from './outcomes/canary-watch.ts';
import { ReleaseOutcomes } from './outcomes/release-outcomes.ts';
import { ReportNonces } from './outcomes/report-nonces.ts';
import { mirrorReleases } from './releases/mirrored-releases.ts';
import { openReleases } from './releases/release-management.ts';
import type { SiteReleases } from './releases/site-releases.ts';
import { countRequests } from './request-count.ts';

/** What the site is made of, and what becomes of it. */
export interface ServedReleases {
  readonly releases: SiteReleases;
  readonly outcomes: ReleaseOutcomes;
  readonly analysis: CanaryAnalysis;
  /** Is told of a page that can't be composed: whose, and why. */
  readonly onNotComposed: (remote: string | undefined, message: string) => void;
}

/** The releases of the store; mirrors run from when the server is ready until it closes. */
export function serveMirroredReleases(app: FastifyInstance, environment: Environment): ServedReleases {
  const report = (problem: unknown) => app.log.error(problem instanceof Error ? problem.message : String(problem));
  const names = environment.remotes.map(({ name }) => name);
  const management = openReleases(environment.releasesFolder, names, report);
  const metrics = new Metrics(management);
  countRequests(app, (request) => metrics.countRequest(request));
  const outcomes = new ReleaseOutcomes(metrics);
  const mirrored = mirrorReleases({
    environment,
    management,
    onProblem: (remote, { reason, message }) => {
      metrics.countProblem(remote, reason);
      report(`${remote}: ${message}`);
    },
    onError: report,
  });
  const { operatorTokens, operatorSecret, publicUrl, releasesFolder } = environment;
  // Shared by all replicas, as in production; elsewhere it may be of this process alone.
  const nonces = new ReportNonces(operatorSecret || randomBytes(32).toString('hex'));
  const analysis = new CanaryAnalysis(nonces, (remote) => management.log.stateOf(remote).canary);
  const stopWatch = watchCanaries(management, analysis, report);
  app.addHook('onReady', () => mirrored.start());
  app.addHook('onClose', async () => {
    stopWatch();
    await mirrored.stop();
  });
  if (operatorTokens.length > 0) {
    const access = new OperatorAccess(operatorTokens);
    const folder = path.join(releasesFolder, '.operator-sessions');
    const sessions = { secret: operatorSecret, isHttps: publicUrl.startsWith('https:'), folder };
    registerMetrics(app, metrics, access);
    registerReleasesPage(app, { management, outcomes, analysis, access, sessions });
  }
  return {
    releases: mirrored.releases,
    outcomes,
    analysis,
    onNotComposed: (remote, message) => {
      metrics.countProblem(remote ?? 'shell', 'not-composed');
      // A warning: the page works.
      app.log.warn(message);
    },
  };
}

/** The dist folders as they are built again and again, for `npm run dev`; failures of remotes are logged. */
export function serveDistFolders(app: FastifyInstance, { remotes }: Environment): ServedReleases {
  const report = (problem: string) => app.log.error(problem);
  const folders = remotes.map(({ name, origin }) => new DistFolder(name, origin.replace(/^file:/, ''), report));
  const outcomes = new ReleaseOutcomes({
    onView: () => undefined,
    onFailure: (remote, version, kind) => report(`${remote}@${version} failed in a browser: ${kind}`),
  });
  return {
    releases: new DevelopmentReleases(folders, report),
    outcomes,
    analysis: new CanaryAnalysis(new ReportNonces(randomBytes(32).toString('hex')), () => undefined),
    onNotComposed: (_remote, message) => app.log.warn(message),
  };
}
