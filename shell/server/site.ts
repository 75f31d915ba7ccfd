import { setTimeout as delay } from 'node:timers/promises';
import { LiveSnapshot, ReleaseManagement } from '@daybook/releases/server';
import { BuildFolder, DevelopmentReleases } from './development/development-releases.ts';
import type { Environment } from './environment.ts';
import { Metrics } from './metrics.ts';
import type { ShellBuild } from './pages/shell-build.ts';
import { PostgresSiteRegistry } from './registry/postgres-site-registry.ts';
import type { SiteRegistry } from './registry/site-registry.ts';
import { ReleaseStats } from './stats/release-stats.ts';

/** Receives the site's problems, and when they end. */
interface SiteLog {
  error(message: string): void;
  info(message: string): void;
}

/** In ms: a database that does not respond must not delay the end of the server. */
const stopTimeout = 5_000;

interface SiteOptions {
  readonly environment: Environment;
  readonly log: SiteLog;
  readonly shellBuild: ShellBuild;
  /** By default that of `RELEASES_DATABASE_URL`. */
  readonly registry?: SiteRegistry | undefined;
}

/**
 * Opens what the site has beside its pages: the registry of releases, with this server's snapshot of it and the folder of
 * checked files; deployments, counts and metrics. Nothing runs before `start()`.
 */
export function openSite({
  environment,
  log,
  shellBuild,
  registry = new PostgresSiteRegistry(environment.RELEASES_DATABASE_URL),
}: SiteOptions) {
  const { teamKeys, RELEASES_FOLDER: folder, RELEASES_KEPT: retained } = environment;
  const report = (problem: unknown) => log.error(problem instanceof Error ? problem.message : String(problem));
  const own = { version: shellBuild.manifest().version, folder: shellBuild.folder, retained };
  const shell = environment.DEVELOPMENT ? undefined : own;
  const onRecovery = (message: string) => log.info(message);
  const live = new LiveSnapshot({ teamKeys, registry, folder, shell, report, onRecovery });
  const metrics = new Metrics(teamKeys, live);
  const stats = new ReleaseStats(registry, metrics);
  const builds = environment.DEVELOPMENT_BUILDS.map((build) => new BuildFolder(build.name, build.folder, report));
  return {
    /** What visitors get. */
    releases: builds.length > 0 ? new DevelopmentReleases(builds, live, report) : live,
    /** The releases in the registry. */
    live,
    management: new ReleaseManagement(registry, live, retained),
    registry,
    stats,
    metrics,
    /** Folders of builds that are served in place, by the name of the remote. */
    watched: new Map(builds.map(({ name, folder }) => [name, folder])),
    /** Follows the registry until `stop()`; resolves when the releases are here, or after a timeout. */
    async start(): Promise<void> {
      await live.start();
      stats.start();
    },
    /** Resolves when all writes have ended. */
    async stop(): Promise<void> {
      const stopped = live.stop().then(() => stats.stop());
      await Promise.race([stopped, delay(stopTimeout, undefined, { ref: false })]);
      await registry.close();
    },
  };
}
