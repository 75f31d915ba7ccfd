import { ageOf, momentOf } from '@daybook/server';
import type { RegistryCopy } from '../registry/registry-copy.ts';
import type { ActiveReleases } from '../serving/active-releases.ts';
import { dateOf } from '../signature/signature.ts';
import { type Deployment, runningPreview } from '../state/remote-state.ts';
import type { Published } from './publish-release.ts';

/** The current role of a stored release. */
export type ReleaseStanding = 'active' | 'canary' | 'preview' | 'previous' | 'rolled back' | 'stored';

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
  const { number, active, activations, isHeld, canary, left } = state;
  const origin = copy.originOf(remote);
  const preview = runningPreview(state);
  const previous = copy.previousOf(remote)?.release.version;
  const standingOf = (version: string): ReleaseStanding => {
    if (version === active) return 'active';
    if (version === canary?.version) return 'canary';
    if (version === preview?.version) return 'preview';
    if (left.has(version)) return 'rolled back';
    return version === previous ? 'previous' : 'stored';
  };
  const problems = [active, canary?.version].flatMap((version) => {
    if (version === undefined) return [];
    const problem = serving ? serving.problemOf(remote, version) : copy.problemOf(remote, version)?.message;
    return problem ? [[version, problem] as const] : [];
  });
  return {
    remote,
    /** Number of its last deployment. */
    number,
    active,
    /** The release that a rollback returns to. */
    previous,
    /** The release for visitors outside the canary: the active one, or the previous one if that is lost or damaged. */
    served: serving
      ? serving.servedBy(remote)?.served.version
      : [active, previous].find((version) => version !== undefined && copy.find(remote, version)),
    /** When the active release was activated; ISO 8601. */
    activeSince: active && activations.get(active),
    isHeld,
    canary,
    /** The running preview. */
    preview: preview && { version: preview.version, endsAt: preview.endsAt },
    /** Whether the release that the origin offers was deployed before, so that it does not become active by itself. */
    isOfferedAgain: origin?.offered ? copy.wasDeployed(remote, origin.offered) : false,
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
 * Describes a deployment and what visitors get now; like all texts here, shared by the command line and the operator's
 * page.
 *
 * @param overview the remote's after the deployment
 * @param replaced the release that was active before it
 */
export function describeDone(
  deployment: Deployment,
  overview: RemoteOverview,
  replaced: string | undefined,
): readonly string[] {
  const { remote, action, version = '', audience, percent, left } = deployment;
  const active = overview.active ?? 'nothing';
  switch (action) {
    case 'activate': {
      const isStored = overview.stored.some((each) => each.version === left);
      const lines = left
        ? [
            `${remote}: ${left} is rolled back; all visitors get ${version}.`,
            isStored ? `${left} becomes active again only if it is activated.` : `${left} is no longer stored here.`,
          ]
        : [`${remote}: all visitors get ${version} instead of ${replaced ?? 'nothing'}.`];
      return [...lines, ...staysHeld(overview)];
    }
    case 'offer':
      return audience === 'canary'
        ? [`${remote}: ${percent} % of visitors get ${version}, all others ${active}.`]
        : [`${remote}: visitors with its link get ${version}, all others ${active}.`];
    case 'end':
      return [`${remote}: the ${audience} of ${version} is over; its visitors get ${active}.`];
    case 'hold':
      return [`${remote}: held; visitors get ${active}.`, heldText];
    case 'lift':
      return [`${remote}: no longer held; visitors get ${active}.`, afterLift(overview)];
  }
}

/**
 * Describes what publishing a release did, and what visitors get now.
 *
 * @param overview the remote's afterward
 * @param replaced the release that was active before
 */
export function describePublication(
  { release: { version }, outcome, deployment }: Published,
  overview: RemoteOverview,
  replaced: string | undefined,
): readonly string[] {
  const { remote, active = 'nothing', canary, preview, stored } = overview;
  if (outcome === 'held')
    return [
      `${remote}@${version} is stored and not active: ${remote} is held. Visitors get ${active}.`,
      'Once it is lifted, activate it.',
    ];
  if (deployment) {
    const since = deployment.action === 'activate' && version !== active ? ` Since then, ${active} was activated.` : '';
    return [...describeDone(deployment, overview, replaced), ...(since ? [since.trim()] : [])];
  }
  const known = `${remote}@${version} was published before; nothing has changed.`;
  if (version === active) return [known, 'All visitors get it.'];
  if (version === canary?.version) return [known, `${canary.percent} % of visitors get it, all others ${active}.`];
  if (version === preview?.version) return [known, `Visitors with its link get it, all others ${active}.`];
  const isLeft = stored.some((each) => each.version === version && each.standing === 'rolled back');
  return [
    known,
    `Visitors get ${active}${isLeft ? `: ${version} was rolled back` : ''}. To give it to them, activate it.`,
  ];
}

const heldText = 'New releases are stored and not activated until it is lifted.';

const staysHeld = ({ isHeld, remote }: RemoteOverview): readonly string[] =>
  isHeld ? [`${remote} stays held. ${heldText}`] : [];

/** Describes what a deployment does, for a row of the log: `offer to 10 %`, `activate, rollback from 1.0.1`. */
export function actionText({ action, audience, percent, left }: Deployment): string {
  if (action === 'end') return `end ${audience}`;
  if (action === 'offer') return audience === 'canary' ? `offer to ${percent} %` : 'offer preview';
  return left === undefined ? action : `activate, rollback from ${left}`;
}

/** Returns the release that was active before a deployment. */
export const replacedBy = ({ remote, number }: Deployment, copy: RegistryCopy): string | undefined =>
  copy.deployments(remote).findLast((each) => each.number < number && each.action === 'activate')?.version;

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
  `${problem.message} Pages are served as before, since ${ageOf(Date.parse(problem.since))}; deployments are not possible.`;

/** Returns why visitors do not get the release that the origin offers; `undefined` if they do, or will after the next poll. */
export function whyWaiting(overview: RemoteOverview): string | undefined {
  const { origin, active, isHeld, canary, stored, isOfferedAgain } = overview;
  const offered = origin?.offered;
  if (!offered || offered === active || offered === canary?.version) return undefined;
  if (!stored.some(({ version }) => version === offered)) return undefined;
  if (isOfferedAgain) return 'It was active or offered before, so it becomes active only if it is activated.';
  return isHeld ? 'It waits until the remote is lifted.' : undefined;
}

/** Describes the running preview of a remote. */
export const previewText = ({ preview }: RemoteOverview): string | undefined =>
  preview &&
  `preview of ${preview.version} until ${momentOf(new Date(preview.endsAt))} UTC, for visitors with its link`;

function afterLift(overview: RemoteOverview): string {
  const { origin, active } = overview;
  const offered = origin?.offered;
  const why = whyWaiting(overview);
  if (offered && why) return `Its origin offers ${offered}. ${why}`;
  if (!offered || offered === active || overview.isOfferedAgain)
    return 'The next new release at its origin is activated automatically.';
  const when = origin?.problem ? 'once its problem is fixed' : 'at the next poll';
  return `Its origin offers ${offered}, which becomes active ${when}.`;
}
