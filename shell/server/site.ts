import { setTimeout as delay } from 'node:timers/promises';
import {
  ActiveReleases,
  PostgresRegistry,
  RegistryCopy,
  ReleaseCache,
  ReleaseManagement,
  ShellBuilds,
  type SiteRegistry,
} from '@daybook/releases/server';
import { BuildFolder, DevelopmentReleases } from './development/development-releases.ts';
import type { Environment } from './environment.ts';
import { Metrics } from './metrics.ts';
import { ReleaseStats } from './outcomes/release-stats.ts';
import type { ShellBuild } from './pages/shell-build.ts';

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
 * Opens the registry of releases, with this server's cache.
 *
 * @returns the site's current releases, and their health
 */
export function openSite({
  environment,
  log,
  shellBuild,
  registry = new PostgresRegistry(environment.RELEASES_DATABASE_URL),
}: SiteOptions) {
  const { teamKeys, RELEASES_FOLDER: folder, RELEASES_KEPT: retained } = environment;
  const report = (problem: unknown) => log.error(problem instanceof Error ? problem.message : String(problem));
  const copy = new RegistryCopy(registry, folder, report, (message) => log.info(message));
  const cache = new ReleaseCache(folder, report);
  const management = new ReleaseManagement(teamKeys, copy);
  const own = { version: shellBuild.manifest().version, folder: shellBuild.folder };
  const shellBuilds = environment.DEVELOPMENT ? undefined : new ShellBuilds({ registry, copy, cache, own, retained });
  const active = new ActiveReleases({ teamKeys, registry, copy, cache, shellBuilds, report });
  const metrics = new Metrics(teamKeys, copy, active);
  const stats = new ReleaseStats(registry, metrics);
  const builds = environment.DEVELOPMENT_BUILDS.map(({ name, folder }) => new BuildFolder(name, folder, report));
  return {
    releases: builds.length > 0 ? new DevelopmentReleases(builds, active, report) : active,
    /** What this server serves of the releases in the registry. */
    active,
    stats,
    /** Of the releases in the registry. */
    management,
    copy,
    registry,
    cache,
    teamKeys,
    /** The shell's builds of other versions; absent in development. */
    shellBuilds,
    metrics,
    /** Folders of builds that are served in place, by the name of the remote. */
    watched: new Map(builds.map(({ name, folder }) => [name, folder])),
    /** Follows the registry until `stop()`; resolves when the active releases are here, or after a timeout. */
    async start(): Promise<void> {
      // Removes orphaned files of an earlier run.
      await cache.sweep();
      await active.start();
      stats.start();
    },
    /** Resolves when all writes have ended. */
    async stop(): Promise<void> {
      const stopped = active.stop().then(() => stats.stop());
      await Promise.race([stopped, delay(stopTimeout, undefined, { ref: false })]);
      await registry.close();
    },
  };
}
