import type { Release } from '@daybook/contract/release';
import { ageOf, momentOf } from '@daybook/server';
import type { RegistryCopy, RegistryProblem } from '../registry/registry-copy.ts';
import type { OriginReport } from '../registry/release-registry.ts';
import type { ActiveReleases } from '../serving/active-releases.ts';
import type { NewestSignature } from '../signature/newest-signature.ts';
import { type Canary, type Preview, type ReleaseChange, runningPreview } from '../state/remote-state.ts';

/** The current role of a stored release. */
export type ReleaseStanding = 'active' | 'canary' | 'preview' | 'previous' | 'withdrawn' | 'stored';

export interface StoredOverview extends Pick<Release, 'version' | 'commit' | 'author' | 'designSystem'> {
  readonly standing: ReleaseStanding;
  /** When a server stored it in the registry, in ms since the epoch. */
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
  /** The running preview. */
  readonly preview: Pick<Preview, 'version' | 'endsAt'> | undefined;
  /** Why only an operator can activate the release that the origin offers. */
  readonly withheld: 'withdrawn' | 'replaced' | undefined;
  /** The stored releases, the last mirrored first. */
  readonly stored: readonly StoredOverview[];
  /** Why the active release, or the canary, can't be served, by version. */
  readonly unservable: Readonly<Record<string, string>>;
  /** The last report of the mirror; `undefined` if no server has run yet. */
  readonly origin: OriginReport | undefined;
  /** The newest signature that was accepted; `undefined` if no server with trusted keys has run yet. */
  readonly signature: NewestSignature | undefined;
}

/**
 * Describes a remote.
 *
 * @param serving what this server serves; without it, what any server of this version can
 */
export function overviewOf(
  remote: string,
  copy: RegistryCopy,
  serving?: Pick<ActiveReleases, 'servedBy' | 'problemOf'>,
): RemoteOverview {
  const state = copy.stateOf(remote);
  const { revision, active, activations, pinned, canary, withdrawn, replaced } = state;
  const offered = copy.originOf(remote)?.offered ?? '';
  const preview = runningPreview(state);
  const previous = copy.previousOf(remote)?.release.version;
  const standingOf = (version: string): ReleaseStanding => {
    if (version === active) return 'active';
    if (version === canary?.version) return 'canary';
    if (version === preview?.version) return 'preview';
    if (withdrawn.has(version)) return 'withdrawn';
    return version === previous ? 'previous' : 'stored';
  };
  const stored = copy.releasesOf(remote).map(({ release, storedAt }) => {
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
    served: serving
      ? serving.servedBy(remote)?.served.version
      : [active, previous].find((version) => version !== undefined && copy.find(remote, version)),
    activeSince: active && activations.get(active),
    pinned,
    canary,
    preview: preview && { version: preview.version, endsAt: preview.endsAt },
    withheld: withdrawn.has(offered) ? 'withdrawn' : replaced.has(offered) ? 'replaced' : undefined,
    stored,
    unservable: Object.fromEntries(
      [active, canary?.version].flatMap((version) => {
        if (version === undefined) return [];
        const problem = serving ? serving.problemOf(remote, version) : copy.problemOf(remote, version)?.message;
        return problem ? [[version, problem]] : [];
      }),
    ),
    origin: copy.originOf(remote),
    signature: copy.signatureOf(remote),
  };
}

/**
 * Describes a change and its consequences; like all texts here, shared by the command line and the operator's page.
 *
 * @param overview the remote's after the change
 */
export function describeDone(change: ReleaseChange, overview: RemoteOverview): readonly string[] {
  const { remote, action, from, to, percent } = change;
  const staysPinned = overview.pinned ? ` It stays pinned, to ${to}.` : '';
  switch (action) {
    case 'rollback': {
      const isStored = overview.stored.some(({ version }) => version === from);
      return [
        `${remote}: ${from} is rolled back; visitors get ${to}.${staysPinned}`,
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
      return [`${remote}: all visitors get ${to} instead of ${from ?? 'nothing'}.${staysPinned}`];
    case 'replace':
      return [
        `${remote}: all visitors get ${to} instead of ${from ?? 'nothing'}.`,
        ...(from ? [`${from} is not activated automatically again.`] : []),
      ];
    case 'preview':
      return [`${remote}: ${to} is shown to visitors with its link.`];
    case 'end-preview':
      return [`${remote}: the preview of ${to} is over; its link shows nothing any more.`];
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
export function damageTexts({ remote, active, served, canary, stored, unservable }: RemoteOverview): readonly string[] {
  const fallback = served ?? `nothing of ${remote}`;
  const why = (version: string) => (unservable[version] ? `can't be served: ${unservable[version]}` : 'is missing');
  const texts: string[] = [];
  if (active !== undefined && served !== active) texts.push(`${active} ${why(active)}; visitors get ${fallback}`);
  if (canary && !stored.some(({ version }) => version === canary.version))
    texts.push(`canary ${canary.version} ${why(canary.version)}; all visitors get ${fallback}`);
  return texts;
}

/** Describes since when the registry can't be used; `undefined` if it can. */
export const registryText = (problem: RegistryProblem | undefined): string | undefined =>
  problem &&
  `${problem.message} Pages are served as before, since ${ageOf(Date.parse(problem.since))}; changes are not possible.`;

/** Returns why visitors do not get the release that the origin offers; `undefined` if they do, or will after the next poll. */
export function whyWaiting({ origin, active, pinned, canary, stored, withheld }: RemoteOverview): string | undefined {
  const offered = origin?.offered;
  if (!offered || offered === active || offered === canary?.version) return undefined;
  if (!stored.some(({ version }) => version === offered)) return undefined;
  if (withheld === 'withdrawn')
    return 'It was rolled back, or was a canary or a preview, so it is not activated automatically.';
  if (withheld === 'replaced')
    return `An operator activated ${active} in its place, so it is not activated automatically.`;
  if (pinned) return 'It waits until the remote is unpinned.';
  return canary && 'It waits until the canary is over.';
}

/** Describes the running preview of a remote. */
export const previewText = ({ preview }: RemoteOverview): string | undefined =>
  preview &&
  `preview of ${preview.version} until ${momentOf(new Date(preview.endsAt))} UTC, for visitors with its link`;

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
