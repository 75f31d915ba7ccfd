import type { Release } from '@daybook/contract/release';
import { ageOf } from '@daybook/server';
import type { Canary, ReleaseChange } from './log/remote-state.ts';
import { type OriginReport, readOriginReport } from './mirror/origin-report.ts';
import { newestSignature, type SeenSignature } from './mirror/seen-signatures.ts';
import type { ReleaseManagement } from './release-management.ts';

/** The current role of a stored release. */
export type ReleaseStanding = 'active' | 'canary' | 'previous' | 'withdrawn' | 'kept';

export interface StoredOverview extends Pick<Release, 'version' | 'commit' | 'author' | 'designSystem'> {
  readonly standing: ReleaseStanding;
  /** When it was mirrored, in ms since the epoch. */
  readonly storedAt: number;
  readonly routes: readonly string[];
  readonly files: number;
  /** Bytes. */
  readonly size: number;
}

/** A remote as shown to operators. */
export interface RemoteOverview {
  readonly remote: string;
  /** Number of its last change in the log. */
  readonly revision: number;
  readonly active: string | undefined;
  /** The release for visitors outside the canary: the active one, or the previous one if that is lost or damaged. */
  readonly served: string | undefined;
  /** When the active release was activated; ISO 8601. */
  readonly activeSince: string | undefined;
  readonly pinned: boolean;
  readonly canary: Canary | undefined;
  /** The stored releases, the last mirrored first. */
  readonly kept: readonly StoredOverview[];
  /** Why the active release, or the canary, can't be served, by version. */
  readonly unservable: Readonly<Record<string, string>>;
  /** The last report of the mirror; `undefined` if no server has run yet. */
  readonly origin: OriginReport | undefined;
  /** The newest signature that was accepted; `undefined` if no server with trusted keys has run yet. */
  readonly signature: SeenSignature | undefined;
}

/** Describes a remote from the log and the store. */
export function overviewOf(remote: string, management: ReleaseManagement): RemoteOverview {
  const { store, log } = management;
  const { revision, active, activations, pinned, canary, withdrawn } = log.stateOf(remote);
  const previous = management.previousOf(remote)?.release.version;
  const standingOf = (version: string): ReleaseStanding => {
    if (version === active) return 'active';
    if (version === canary?.version) return 'canary';
    if (withdrawn.has(version)) return 'withdrawn';
    return version === previous ? 'previous' : 'kept';
  };
  const kept = store.releasesOf(remote).map(({ release, storedAt }) => {
    const { version, commit, author, designSystem, routes, files } = release;
    return {
      version,
      standing: standingOf(version),
      commit,
      author,
      designSystem,
      storedAt,
      routes: routes.map(({ path }) => path),
      files: Object.keys(files).length,
      size: Object.values(files).reduce((sum, { size }) => sum + size, 0),
    };
  });
  return {
    remote,
    revision,
    active,
    served: management.servedBy(remote)?.served.version,
    activeSince: active && activations.get(active),
    pinned,
    canary,
    kept,
    unservable: Object.fromEntries(
      [active, canary?.version].flatMap((version) => {
        const problem = version && store.problemOf(remote, version);
        return problem ? [[version, problem.message]] : [];
      }),
    ),
    origin: readOriginReport(store.folder, remote),
    signature: newestSignature(store.folder, remote),
  };
}

/**
 * Describes a change and its consequences; like all texts here, shared by the command line and the operator's page.
 *
 * @param overview the remote's after the change
 */
export function describeDone(change: ReleaseChange, overview: RemoteOverview): readonly string[] {
  const { remote, action, from, to, percent } = change;
  switch (action) {
    case 'rollback': {
      const isStored = overview.kept.some(({ version }) => version === from);
      return [
        `${remote}: ${from} is rolled back; visitors get ${to}.${overview.pinned ? ` It stays pinned, to ${to}.` : ''}`,
        `${from} is not activated automatically again.${isStored ? '' : ' It is no longer stored here.'}`,
      ];
    }
    case 'pin':
      return [
        `${remote}: pinned to ${to}${from === to || from === null ? '' : ` instead of ${from}`}.`,
        'Newer releases are mirrored and wait until it is unpinned.',
      ];
    case 'unpin':
      return [`${remote}: no longer pinned to ${to}.`, afterUnpin(overview)];
    case 'canary':
      return [`${remote}: ${percent} % of visitors get ${to}, all others ${from ?? 'nothing'}.`];
    case 'activate':
      return [`${remote}: all visitors get ${to} instead of ${from ?? 'nothing'}.`];
  }
}

/** Describes the newest accepted signature, with the beginning of its key. */
export function signatureText({ signature }: RemoteOverview): string | undefined {
  if (!signature) return undefined;
  const { version, key, signedAt, expiresAt } = signature;
  const until = new Date(expiresAt).toISOString().slice(0, 10);
  return `newest signature: ${version}, ${ageOf(signedAt)}, key ${key.slice(0, 8)}…, valid until ${until}`;
}

/** Describes releases that can't be served, and their fallbacks. */
export function damageTexts({ remote, active, served, canary, kept, unservable }: RemoteOverview): readonly string[] {
  const fallback = served ?? `nothing of ${remote}`;
  const why = (version: string) => (unservable[version] ? `can't be served: ${unservable[version]}` : 'is missing');
  const texts: string[] = [];
  if (active !== undefined && served !== active) texts.push(`${active} ${why(active)}; visitors get ${fallback}`);
  if (canary && !kept.some(({ version }) => version === canary.version))
    texts.push(`canary ${canary.version} ${why(canary.version)}; all visitors get ${fallback}`);
  return texts;
}

/** Limited: one lost line voids all later ones of its remote. */
const maxLogProblems = 10;

/** Returns the first problems of the log, and the number of the others. */
export function logProblemTexts(problems: readonly string[]): readonly string[] {
  const more = problems.length - maxLogProblems;
  if (more <= 0) return problems;
  return [
    ...problems.slice(0, maxLogProblems),
    `The release log has ${more} more such ${more === 1 ? 'line' : 'lines'}.`,
  ];
}

/** Returns why visitors do not get the release that the origin offers; `undefined` if they do, or will after the next poll. */
export function whyWaiting({ origin, active, pinned, canary, kept }: RemoteOverview): string | undefined {
  const offered = origin?.offered;
  if (!offered || offered === active || offered === canary?.version) return undefined;
  const standing = kept.find((each) => each.version === offered)?.standing;
  if (standing === 'withdrawn') return 'It was rolled back or was a canary, so it is not activated automatically.';
  if (standing === undefined) return undefined;
  if (pinned) return 'It waits until the remote is unpinned.';
  return canary && 'It waits until the canary is over.';
}

function afterUnpin(overview: RemoteOverview): string {
  const { origin, active, canary } = overview;
  const offered = origin?.offered;
  const why = whyWaiting(overview);
  if (offered && why) return `Its origin offers ${offered}. ${why}`;
  if (canary) return 'Newer releases wait until the canary is over.';
  if (!offered || offered === active) return 'The next release at its origin is activated automatically.';
  const when = origin?.problem ? 'once its problem is fixed' : 'at the next poll';
  return `Its origin offers ${offered}, which becomes active ${when}.`;
}
