import { randomBytes } from 'node:crypto';
import { openOrigin } from '@daybook/release';
import { DevelopmentReleases, DistFolder } from './development/development-releases.ts';
import type { Environment } from './environment.ts';
import { Metrics } from './metrics.ts';
import { CanaryAnalysis, watchCanaries } from './outcomes/canary-analysis.ts';
import { ReleaseOutcomes } from './outcomes/release-outcomes.ts';
import { ReportNonces } from './outcomes/report-nonces.ts';
import { ActiveReleases } from './releases/active-releases.ts';
import { ReleaseMirror } from './releases/mirror/release-mirror.ts';
import { ReleaseManagement } from './releases/release-management.ts';
import type { SiteReleases } from './releases/site-releases.ts';

/** What the site is made of at this moment, and how it fares. */
export interface Site {
  readonly releases: SiteReleases;
  readonly outcomes: ReleaseOutcomes;
  readonly analysis: CanaryAnalysis;
  /** What operators see and change; not in development. */
  readonly operated?: { readonly management: ReleaseManagement; readonly metrics: Metrics };
  /** Called when a page cannot be composed, with the remote and the reason. */
  readonly onNotComposed: (remote: string | undefined, message: string) => void;
  /** Polls the origins once, and goes on until `stop()`. */
  readonly start: () => Promise<void>;
  /** Resolves when nothing is written any longer. */
  readonly stop: () => Promise<void>;
}

/** Where a site reports to. */
export interface SiteLog {
  error(message: string): void;
  warn(message: string): void;
}

/** After failures the origins are polled this many intervals apart at most. */
const maxBackoff = 10;

const createSecret = () => randomBytes(32).toString('hex');

/** The releases of the releases folder, with the mirrors that bring new ones. */
export function openMirroredSite(environment: Environment, log: SiteLog): Site {
  const { remotes, releasesFolder, releasesInterval, releasesKept, operatorSecret } = environment;
  const report = (problem: unknown) => log.error(problem instanceof Error ? problem.message : String(problem));
  const names = remotes.map(({ name }) => name);
  const management = new ReleaseManagement(releasesFolder, names, report);
  const metrics = new Metrics(management);
  // Shared by all replicas, as in production; elsewhere it may be of this process alone.
  const nonces = new ReportNonces(operatorSecret || createSecret());
  const analysis = new CanaryAnalysis(nonces, (remote) => management.log.stateOf(remote).canary);
  const stopWatch = watchCanaries(management, analysis, report);
  const releases = new ActiveReleases(management);
  const mirror = new ReleaseMirror(
    remotes.map(({ name, origin }) => ({
      management,
      remote: name,
      origin: openOrigin(origin),
      kept: releasesKept,
      onProblem: ({ reason, message }) => {
        metrics.countProblem(name, reason);
        report(`${name}: ${message}`);
      },
    })),
    { interval: releasesInterval * 1000, maxInterval: releasesInterval * maxBackoff * 1000 },
  );
  return {
    releases,
    outcomes: new ReleaseOutcomes(metrics),
    analysis,
    operated: { management, metrics },
    onNotComposed: (remote, message) => {
      metrics.countProblem(remote ?? 'shell', 'not-composed');
      // A warning: the page works.
      log.warn(message);
    },
    async start() {
      // Orphaned files of an earlier run; serving the site does not depend on it.
      await management.store.sweep().catch(report);
      releases.watch(report);
      await mirror.start();
    },
    async stop() {
      stopWatch();
      releases.stop();
      await mirror.stop();
    },
  };
}

/** The dist folders as they are built again and again, for `npm run dev`. */
export function openDevelopmentSite({ remotes }: Environment, log: SiteLog): Site {
  const report = (problem: string) => log.error(problem);
  const folders = remotes.map(({ name, origin }) => new DistFolder(name, origin.replace(/^file:/, ''), report));
  return {
    releases: new DevelopmentReleases(folders, report),
    outcomes: new ReleaseOutcomes(),
    analysis: new CanaryAnalysis(new ReportNonces(createSecret()), () => undefined),
    onNotComposed: (_remote, message) => log.warn(message),
    start: async () => undefined,
    stop: async () => undefined,
  };
}
