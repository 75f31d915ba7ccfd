import { type Deployment, runningPreview } from '../registry/remote-state.ts';
import type { LiveSnapshot } from '../snapshot/live-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { ageOf, momentOf } from './formats.ts';
import type { Published } from './publish-release.ts';

/** The current role of a stored release. */
export type ReleaseStatus = 'active' | 'canary' | 'preview' | 'previous' | 'rolled back' | 'stored';

/** A remote as shown to operators. */
export type RemoteOverview = ReturnType<typeof overviewOf>;
export type StoredOverview = RemoteOverview['stored'][number];

/** Returns the state of a remote, as this server serves it. */
export function overviewOf(remote: string, snapshot: Snapshot) {
  const state = snapshot.stateOf(remote);
  const { number, active, activations, heldBy, canary, left } = state;
  const preview = runningPreview(state);
  const previous = snapshot.previousOf(remote)?.version;
  const statusOf = (version: string): ReleaseStatus => {
    if (version === active) return 'active';
    if (version === canary?.version) return 'canary';
    if (version === preview?.version) return 'preview';
    if (left.has(version)) return 'rolled back';
    return version === previous ? 'previous' : 'stored';
  };
  const problems = [active, canary?.version].flatMap((version) => {
    const problem = version === undefined ? undefined : snapshot.problemOf(remote, version);
    return version !== undefined && problem ? [[version, problem] as const] : [];
  });
  return {
    remote,
    /** Number of its last deployment. */
    number,
    active,
    /** The release that a rollback returns to. */
    previous,
    /** The release for visitors outside the canary: the active one, or the previous one if that is lost or damaged. */
    served: snapshot.servedBy(remote)?.served.version,
    /** When the active release was activated; ISO 8601. */
    activeSince: active && activations.get(active),
    heldBy,
    canary,
    /** The running preview. */
    preview: preview && { version: preview.version, endsAt: preview.endsAt },
    /** The stored releases, the last stored first. */
    stored: snapshot.servableOf(remote).map(({ release, storedAt }) => ({
      version: release.version,
      status: statusOf(release.version),
      commit: release.commit,
      author: release.author,
      designSystem: release.designSystem,
      /** In ms since the epoch. */
      storedAt,
      routes: release.routes.map(({ path }) => path),
      files: Object.keys(release.files).length,
      /** Bytes. */
      size: Object.values(release.files).reduce((sum, { size }) => sum + size, 0),
    })),
    /** Why the active release, or the canary, can't be served, by version. */
    unservable: Object.fromEntries<string | undefined>(problems),
  };
}

/**
 * Returns what a deployment did and what visitors get now, in sentences; like all texts here, shared by the command line and the operator's
 * page.
 *
 * @param overview the remote's after the deployment
 * @param replaced the release that was active before it
 */
export function deploymentTexts(
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
      return [`${remote}: no longer held; visitors get ${active}.`, 'The next release is active once it is published.'];
  }
}

/**
 * Returns what publishing a release did, and what visitors get now.
 *
 * @param overview the remote's afterward
 * @param replaced the release that was active before
 */
export function publicationTexts(
  { release: { version }, outcome, deployment }: Published,
  overview: RemoteOverview,
  replaced: string | undefined,
): readonly string[] {
  const { remote, active = 'nothing', heldBy, canary, preview, stored } = overview;
  if (outcome === 'held')
    return [
      `${remote}@${version} is stored and not active: ${remote} is held by ${heldBy}. Visitors get ${active}.`,
      'Once it is lifted, activate it.',
    ];
  if (deployment) {
    const since = deployment.action === 'activate' && version !== active ? ` Since then, ${active} was activated.` : '';
    return [...deploymentTexts(deployment, overview, replaced), ...(since ? [since.trim()] : [])];
  }
  const known = `${remote}@${version} was published before; nothing has changed.`;
  if (version === active) return [known, 'All visitors get it.'];
  if (version === canary?.version) return [known, `${canary.percent} % of visitors get it, all others ${active}.`];
  if (version === preview?.version) return [known, `Visitors with its link get it, all others ${active}.`];
  const isLeft = stored.some((each) => each.version === version && each.status === 'rolled back');
  return [
    known,
    `Visitors get ${active ?? 'no release'}${isLeft ? `: ${version} was rolled back` : ''}. To give it to them, activate it.`,
  ];
}

const heldText = 'New releases are stored and not activated until it is lifted.';

const staysHeld = ({ heldBy, remote }: RemoteOverview): readonly string[] =>
  heldBy ? [`${remote} stays held by ${heldBy}. ${heldText}`] : [];

/** Returns what a deployment does, for a row of the log: `offer to 10 %`, `activate, rollback from 1.0.1`. */
export function actionText({ action, audience, percent, left }: Deployment): string {
  if (action === 'end') return `end ${audience}`;
  if (action === 'offer') return audience === 'canary' ? `offer to ${percent} %` : 'offer preview';
  return left === undefined ? action : `activate, rollback from ${left}`;
}

/** Returns the release that was active before a deployment. */
export const replacedBy = ({ remote, number }: Deployment, snapshot: Snapshot): string | undefined =>
  snapshot.deployments(remote).findLast((each) => each.number < number && each.action === 'activate')?.version;

/** Returns which releases can't be served, and their fallbacks. */
export function damageTexts({ remote, active, served, canary, stored, unservable }: RemoteOverview): readonly string[] {
  const fallback = served ?? `nothing of ${remote}`;
  const why = (version: string) => (unservable[version] ? `can't be served: ${unservable[version]}` : 'is missing');
  const texts: string[] = [];
  if (active !== undefined && served !== active) texts.push(`${active} ${why(active)}; visitors get ${fallback}`);
  if (canary && !stored.some(({ version }) => version === canary.version))
    texts.push(`canary ${canary.version} ${why(canary.version)}; all visitors get ${fallback}`);
  return texts;
}

/** Returns since when the registry can't be used; `undefined` if it can. */
export const registryText = (problem: LiveSnapshot['problem']): string | undefined =>
  problem &&
  `${problem.message} Pages are served as before, since ${ageOf(Date.parse(problem.since))}; deployments are not possible.`;

/** Returns the running preview of a remote in words; `undefined` if there is none. */
export const previewText = ({ preview }: RemoteOverview): string | undefined =>
  preview &&
  `preview of ${preview.version} until ${momentOf(new Date(preview.endsAt))} UTC, for visitors with its link`;
