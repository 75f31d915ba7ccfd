import { setTimeout as delay } from 'node:timers/promises';
import { openOrigin } from '@daybook/releases';
import {
  ActiveReleases,
  MemoryRegistry,
  PostgresRegistry,
  RegistryCopy,
  ReleaseCache,
  ReleaseManagement,
  ReleaseMirror,
  ShellBuilds,
  type SiteRegistry,
} from '@daybook/releases/server';
import { BuildFolder, DevelopmentReleases } from './development/development-releases.ts';
import type { Environment, RemoteOrigin } from './environment.ts';
import { Metrics } from './metrics.ts';
import { ReleaseStats } from './outcomes/release-stats.ts';
import type { ShellBuild } from './pages/shell-build.ts';

/** Receives the site's problems, and when they end. */
interface SiteLog {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
}

/** In ms: a database that does not respond must not delay the end of the server. */
const stopTimeout = 5_000;

interface SiteOptions {
  readonly environment: Environment;
  readonly log: SiteLog;
  readonly shellBuild: ShellBuild;
  /** By default that of `RELEASES_DATABASE_URL`; without an address, one in memory. */
  readonly registry?: SiteRegistry | undefined;
}

/**
 * Opens the registry of releases, with this server's cache, and the mirrors that add new releases.
 *
 * @returns the site's current releases, and their health
 */
export function openMirroredSite({ environment, log, shellBuild, registry = openRegistry(environment) }: SiteOptions) {
  const { REMOTES: remotes, TRUSTED_KEYS: trustedKeys, RELEASES_FOLDER: folder, RELEASES_KEPT: retained } = environment;
  const report = (problem: unknown) => log.error(problem instanceof Error ? problem.message : String(problem));
  const names = remotes.map(({ name }) => name);
  const keysOf = (remote: string) => {
    const keys = trustedKeys === 'none' ? trustedKeys : trustedKeys?.get(remote);
    return keys === 'none' ? undefined : keys;
  };
  const [signed, unsigned] = [names.filter((name) => keysOf(name)), names.filter((name) => !keysOf(name))];
  if (trustedKeys && unsigned.length > 0)
    log.warn(
      `TRUSTED_KEYS is none for ${unsigned.join(', ')}: their releases need no signature, so whoever controls an origin controls its pages.`,
    );
  // A registry in memory ends with its server: what another one last knew is no state of this one.
  const copy = new RegistryCopy(registry, registry instanceof MemoryRegistry ? undefined : folder, report, (message) =>
    log.info(message),
  );
  const cache = new ReleaseCache(folder, report);
  const management = new ReleaseManagement(names, copy);
  const own = { version: shellBuild.manifest().version, folder: shellBuild.folder };
  const shellBuilds = environment.DEVELOPMENT ? undefined : new ShellBuilds({ registry, copy, cache, own, retained });
  const active = new ActiveReleases({ remotes: names, registry, copy, cache, shellBuilds, report });
  const metrics = new Metrics(names, copy, active, signed);
  const stats = new ReleaseStats(registry, metrics);
  const mirror = new ReleaseMirror(
    remotes.map(({ name, origin }) => ({
      registry,
      copy,
      management,
      cache,
      remote: name,
      origin: openOrigin(origin),
      retained,
      trustedKeys: keysOf(name),
      onExpiring: (message) => log.warn(`${name}: ${message}`),
      onProblem: ({ reason, message }) => {
        metrics.problems.inc({ remote: name, reason });
        report(`${name}: ${message}`);
      },
    })),
    environment.RELEASES_INTERVAL * 1000,
  );
  return {
    releases: active,
    /** What this server serves of the releases in the registry. */
    active,
    stats,
    /** Of the releases in the registry. */
    management,
    copy,
    registry,
    cache,
    /** The remotes of the registry. */
    names,
    keysOf,
    /** The shell's builds of other versions; absent in development. */
    shellBuilds,
    metrics,
    watched: undefined,
    /** Follows the registry and polls the origins until `stop()`; resolves after the first poll. */
    async start(): Promise<void> {
      // Removes orphaned files of an earlier run.
      await cache.sweep();
      await active.start();
      stats.start();
      await mirror.start();
    },
    /** Resolves when all writes have ended. */
    async stop(): Promise<void> {
      const stopped = Promise.all([active.stop(), mirror.stop()]).then(() => stats.stop());
      await Promise.race([stopped, delay(stopTimeout, undefined, { ref: false })]);
      await registry.close();
    },
  };
}

function openRegistry({ RELEASES_DATABASE_URL: address }: Environment): SiteRegistry {
  return address ? new PostgresRegistry(address) : new MemoryRegistry();
}

/** Opens a site for `npm run dev`: serves origins that are folders in place, and mirrors the others. */
export function openDevelopmentSite(options: SiteOptions) {
  const { environment, log } = options;
  const report = (problem: string) => log.error(problem);
  const isFolder = ({ origin }: RemoteOrigin) => origin.startsWith('file:');
  const folders = environment.REMOTES.filter(isFolder).map(
    ({ name, origin }) => new BuildFolder(name, origin.slice('file:'.length), report),
  );
  const others = environment.REMOTES.filter((remote) => !isFolder(remote));
  const mirrored = openMirroredSite({ ...options, environment: { ...environment, REMOTES: others } });
  return {
    ...mirrored,
    releases: new DevelopmentReleases(folders, mirrored.releases, report),
    /** Folders of builds that are served in place, by the name of the remote. */
    watched: new Map(folders.map(({ name, folder }) => [name, folder])),
  };
}
