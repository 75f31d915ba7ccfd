import { openOrigin } from '@daybook/release';
import { BuildFolder, DevelopmentReleases } from './development/development-releases.ts';
import type { Environment, RemoteOrigin } from './environment.ts';
import { Metrics } from './metrics.ts';
import { ReleaseStats } from './outcomes/release-stats.ts';
import { ActiveReleases } from './releases/active-releases.ts';
import { ReleaseMirror } from './releases/mirror/release-mirror.ts';
import { ReleaseManagement } from './releases/release-management.ts';
import type { SiteReleases } from './releases/site-releases.ts';

/** The site's current releases, and their health. */
export interface Site {
  readonly releases: SiteReleases;
  readonly stats: ReleaseStats;
  /** Of the mirrored releases. */
  readonly management: ReleaseManagement;
  readonly metrics: Metrics;
  /** Folders of builds that are served in place, by the name of the remote; only in development. */
  readonly watched?: ReadonlyMap<string, string>;
  /** Polls the origins until `stop()`; resolves after the first poll. */
  readonly start: () => Promise<void>;
  /** Resolves when all writes have ended. */
  readonly stop: () => Promise<void>;
}

/** Receives the site's problems. */
export interface SiteLog {
  error(message: string): void;
  warn(message: string): void;
}

/** Opens the releases folder, with the mirrors that add new releases. */
export function openMirroredSite(environment: Environment, log: SiteLog): Site {
  const { REMOTES: remotes, TRUSTED_KEYS: trustedKeys } = environment;
  const report = (problem: unknown) => log.error(problem instanceof Error ? problem.message : String(problem));
  if (trustedKeys === 'none')
    log.warn('TRUSTED_KEYS is none: releases need no signature, so whoever controls an origin controls its pages.');
  const names = remotes.map(({ name }) => name);
  const management = new ReleaseManagement(environment.RELEASES_FOLDER, names, report);
  const metrics = new Metrics(management);
  const releases = new ActiveReleases(management);
  const mirror = new ReleaseMirror(
    remotes.map(({ name, origin }) => ({
      management,
      remote: name,
      origin: openOrigin(origin),
      retained: environment.RELEASES_KEPT,
      trustedKeys: trustedKeys === 'none' ? undefined : trustedKeys?.get(name),
      onExpiring: (message) => log.warn(`${name}: ${message}`),
      onProblem: ({ reason, message }) => {
        metrics.problems.inc({ remote: name, reason });
        report(`${name}: ${message}`);
      },
    })),
    environment.RELEASES_INTERVAL * 1000,
  );
  return {
    releases,
    stats: new ReleaseStats(metrics),
    management,
    metrics,
    async start() {
      // Removes orphaned files of an earlier run; the site works without it.
      await management.store.sweep().catch(report);
      releases.watch(report);
      await mirror.start();
    },
    async stop() {
      releases.stop();
      await mirror.stop();
    },
  };
}

/** Opens a site for `npm run dev`: serves origins that are folders in place, and mirrors the others. */
export function openDevelopmentSite(environment: Environment, log: SiteLog): Site {
  const report = (problem: string) => log.error(problem);
  const isFolder = ({ origin }: RemoteOrigin) => origin.startsWith('file:');
  const folders = environment.REMOTES.filter(isFolder).map(
    ({ name, origin }) => new BuildFolder(name, origin.slice('file:'.length), report),
  );
  const others = environment.REMOTES.filter((remote) => !isFolder(remote));
  const mirrored = openMirroredSite({ ...environment, REMOTES: others }, log);
  return {
    ...mirrored,
    releases: new DevelopmentReleases(folders, mirrored.releases, report),
    watched: new Map(folders.map(({ name, folder }) => [name, folder])),
  };
}
