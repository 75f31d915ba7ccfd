import { givenBy, previousOf } from './active-releases.ts';
import type { Canary } from './log/remote-state.ts';
import { type OriginReport, readOriginReport } from './mirror/origin-report.ts';
import type { ReleaseManagement } from './release-management.ts';

/** What a stored release is at the moment. */
export type ReleaseStanding = 'active' | 'canary' | 'previous' | 'withdrawn' | 'kept';

export interface StoredOverview {
  readonly version: string;
  readonly standing: ReleaseStanding;
  /** The commit that it was built from, and its author; as the release says. */
  readonly commit: string | undefined;
  readonly author: string | undefined;
  /** When it was mirrored, in ms since the epoch. */
  readonly storedAt: number;
  readonly routes: readonly string[];
  readonly files: number;
  /** Bytes. */
  readonly size: number;
}

/** A remote as an operator wants to see it. */
export interface RemoteOverview {
  readonly remote: string;
  /** Number of its last change in the log. */
  readonly revision: number;
  readonly active: string | undefined;
  /** What visitors without the canary get: the active release, or the one before where that is lost or damaged. */
  readonly served: string | undefined;
  /** When the active release became so; ISO 8601. */
  readonly activeSince: string | undefined;
  readonly pinned: boolean;
  readonly canary: Canary | undefined;
  /** The kept releases, the last mirrored first. */
  readonly kept: readonly StoredOverview[];
  /** What the mirror last found at the origin; nothing where no server has run yet. */
  readonly origin: OriginReport | undefined;
}

/** Describes a remote from the log and the store. */
export function overviewOf(remote: string, management: ReleaseManagement): RemoteOverview {
  const { store, log } = management;
  const { revision, active, activations, pinned, canary, withdrawn } = log.stateOf(remote);
  const previous = previousOf(remote, management)?.release.version;
  const standingOf = (version: string): ReleaseStanding => {
    if (version === active) return 'active';
    if (version === canary?.version) return 'canary';
    if (withdrawn.has(version)) return 'withdrawn';
    return version === previous ? 'previous' : 'kept';
  };
  const kept = store.releasesOf(remote).map(({ release: { version, commit, author, routes, files }, storedAt }) => ({
    version,
    standing: standingOf(version),
    commit,
    author,
    storedAt,
    routes: routes.map(({ path }) => path),
    files: Object.keys(files).length,
    size: Object.values(files).reduce((sum, { size }) => sum + size, 0),
  }));
  return {
    remote,
    revision,
    active,
    served: givenBy(remote, management)?.served.version,
    activeSince: active && activations.get(active),
    pinned,
    canary,
    kept,
    origin: readOriginReport(store.folder, remote),
  };
}
