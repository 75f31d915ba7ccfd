import { ageOf, momentOf } from '@daybook/server';
import type { RegistryCopy } from '../registry/registry-copy.ts';
import type { ActiveReleases } from '../serving/active-releases.ts';
import { dateOf } from '../signature/signature.ts';
import { type ReleaseChange, runningPreview } from '../state/remote-state.ts';

/** The current role of a stored release. */
export type ReleaseStanding = 'active' | 'canary' | 'preview' | 'previous' | 'withdrawn' | 'stored';

/** A remote as shown to operators. */
export type RemoteOverview = ReturnType<typeof overviewOf>;
export type StoredOverview = RemoteOverview['stored'][number];

/**
 * Describes a remote.
 *
 * @param serving what this server serves; without it, what any server of this version can
 */
export function overviewOf(
  remote: string,
  copy: RegistryCopy,
  serving?: Pick<ActiveReleases, 'servedBy' | 'problemOf'>,
) {
  const state = copy.stateOf(remote);
  const { revision, active, activations, pinned, canary, withdrawn, replaced } = state;
  const origin = copy.originOf(remote);
  const offered = origin?.offered ?? '';
  const preview = runningPreview(state);
  const previous = copy.previousOf(remote)?.release.version;
  const standingOf = (version: string): ReleaseStanding => {
    if (version === active) return 'active';
    if (version === canary?.version) return 'canary';
    if (version === preview?.version) return 'preview';
    if (withdrawn.has(version)) return 'withdrawn';
    return version === previous ? 'previous' : 'stored';
  };
  const problems = [active, canary?.version].flatMap((version) => {
    if (version === undefined) return [];
    const problem = serving ? serving.problemOf(remote, version) : copy.problemOf(remote, version)?.message;
    return problem ? [[version, problem] as const] : [];
  });
  return {
    remote,
    /** Number of its last change in the log. */
    revision,
    active,
    /** The release for visitors outside the canary: the active one, or the previous one if that is lost or damaged. */
    served: serving
      ? serving.servedBy(remote)?.served.version
      : [active, previous].find((version) => version !== undefined && copy.find(remote, version)),
    /** When the active release was activated; ISO 8601. */
    activeSince: active && activations.get(active),
    pinned,
    canary,
    /** The running preview. */
    preview: preview && { version: preview.version, endsAt: preview.endsAt },
    /** Why only an operator can activate the release that the origin offers. */
    withheld: withdrawn.has(offered)
      ? ('withdrawn' as const)
      : replaced.has(offered)
        ? ('replaced' as const)
        : undefined,
    /** The stored releases, the last mirrored first. */
    stored: copy.releasesOf(remote).map(({ release, storedAt }) => ({
      version: release.version,
      standing: standingOf(release.version),
      commit: release.commit,
      author: release.author,
      designSystem: release.designSystem,
      /** When a server stored it in the registry, in ms since the epoch. */
      storedAt,
      routes: release.routes.map(({ path }) => path),
      files: Object.keys(release.files).length,
      /** Bytes. */
      size: Object.values(release.files).reduce((sum, { size }) => sum + size, 0),
    })),
    /** Why the active release, or the canary, can't be served, by version. */
    unservable: Object.fromEntries<string | undefined>(problems),
    /** The last report of the mirror; `undefined` if no server has run yet. */
    origin,
    /** The newest signature that was accepted; `undefined` if no server with trusted keys has run yet. */
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
  return `newest signature: ${version}, ${ageOf(signedAt)}, key ${key.slice(0, 8)}…, valid until ${dateOf(expiresAt)}`;
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
export const registryText = (problem: RegistryCopy['problem']): string | undefined =>
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
