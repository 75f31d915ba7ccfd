import { ageOf, alignColumns, momentOf, sizeOf } from '../deployments/formats.ts';
import {
  actionText,
  damageTexts,
  deploymentTexts,
  previewText,
  type RemoteOverview,
} from '../deployments/release-overview.ts';
import type { Deployment } from '../registry/remote-state.ts';

function stateOf({ heldBy, canary, preview, active }: RemoteOverview): string {
  const canaryText = canary && `canary ${canary.version} for ${canary.percent} %`;
  return [
    !active && 'no release yet',
    heldBy && `held by ${heldBy}`,
    canaryText,
    preview && `preview ${preview.version}`,
  ]
    .filter(Boolean)
    .join('; ');
}

const damagesOf = (remote: RemoteOverview) => damageTexts(remote).map((text) => `! ${text}`);

/** Renders `releases list`: a line for each remote, with the problems of its releases. */
export function renderList(remotes: readonly RemoteOverview[]): readonly string[] {
  const header = ['REMOTE', 'ACTIVE', 'SINCE', 'STORED', 'STATE'];
  const rows = remotes.map((each) => [
    each.remote,
    each.active ?? '–',
    each.activeSince ? ageOf(Date.parse(each.activeSince)) : '',
    String(each.stored.length),
    stateOf(each),
  ]);
  const [head = '', ...lines] = alignColumns([header, ...rows]);
  const problems = remotes.map((each) => damagesOf(each).map((text) => `  ${text}`));
  return [head, ...lines.flatMap((line, index) => [line, ...(problems[index] ?? [])])];
}

/** Renders `releases show`: a remote with its stored releases and its last deployments. */
export function renderRemote(remote: RemoteOverview, deployments: readonly Deployment[]): readonly string[] {
  const header = ['VERSION', 'STATUS', 'STORED', 'FILES', 'SIZE', 'COMMIT', 'AUTHOR', 'DESIGN SYSTEM'];
  const rows = remote.stored.map(({ version, status, storedAt, files, size, commit, author, designSystem }) => [
    version,
    status,
    ageOf(storedAt),
    String(files),
    sizeOf(size),
    commit?.slice(0, 8) ?? '–',
    author ?? '–',
    designSystem ?? '–',
  ]);
  return [
    `${remote.remote}  ${stateOf(remote)}`.trimEnd(),
    ...[previewText(remote)].filter((text) => text !== undefined),
    ...damagesOf(remote),
    '',
    ...alignColumns([header, ...rows]),
    '',
    ...renderLog(deployments),
  ];
}

/** Renders `releases log`: absolute times, which can be compared with those of other logs, and stay true in a report. */
export function renderLog(deployments: readonly Deployment[]): readonly string[] {
  const header = ['WHEN (UTC)', 'REMOTE', 'ACTION', 'VERSION', 'BY', 'WHY'];
  const rows = deployments.map((each) => [
    momentOf(new Date(each.at)),
    each.remote,
    actionText(each),
    each.version ?? '–',
    each.by,
    each.why,
  ]);
  return alignColumns([header, ...rows.toReversed()]);
}

/** A sign-in or sign-out at `/_releases`, as a site responds; `at` is ISO 8601. */
export type SignIn = Readonly<Record<'at' | 'operator' | 'action' | 'network', string>>;

/** Renders `releases sign-ins`, the latest first. */
export const renderSignIns = (signIns: readonly SignIn[]): readonly string[] =>
  alignColumns([
    ['WHEN (UTC)', 'OPERATOR', 'ACTION', 'NETWORK'],
    ...signIns
      .map(({ at, operator, action, network }) => [momentOf(new Date(at)), operator, action, network])
      .toReversed(),
  ]);

/**
 * Renders what a deployment did, what visitors get now, and the possible next commands.
 *
 * @param overview the remote's after the deployment
 * @param replaced the release that was active before it
 */
export function renderDeployment(
  deployment: Deployment,
  overview: RemoteOverview,
  replaced: string | undefined,
  command: (words: string) => string,
): readonly string[] {
  return [...deploymentTexts(deployment, overview, replaced), ...nextCommands(deployment, overview, replaced, command)];
}

function nextCommands(
  { remote, action, version, audience, left }: Deployment,
  { heldBy, stored, previous }: RemoteOverview,
  replaced: string | undefined,
  command: (words: string) => string,
): readonly string[] {
  const lift = `To lift it: ${command(`lift ${remote}`)}`;
  if (action === 'hold') return [lift];
  if (action === 'offer')
    return [
      `To give it to all visitors: ${command(`activate ${remote} ${version}`)}. To end it: ${command(`end ${remote} ${audience}`)}`,
    ];
  if (action !== 'activate') return [];
  const back =
    left === undefined
      ? replaced !== undefined && previous === replaced && `To go back: ${command(`rollback ${remote}`)}`
      : stored.some((each) => each.version === left) &&
        `To activate it again: ${command(`activate ${remote} ${left}`)}`;
  return [...(back ? [back] : []), ...(heldBy ? [lift] : [])];
}
