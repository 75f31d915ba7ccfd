import { ageOf, alignColumns, momentOf, sizeOf } from '@daybook/server';
import {
  damageTexts,
  describeDone,
  previewText,
  type RemoteOverview,
  signatureText,
  whyWaiting,
} from '../management/release-overview.ts';
import type { SignIn } from '../registry/release-registry.ts';
import type { ReleaseChange } from '../state/remote-state.ts';

function stateOf({ pinned, canary, preview, active }: RemoteOverview): string {
  const canaryText = canary && `canary ${canary.version} for ${canary.percent} %`;
  return [!active && 'no release yet', pinned && 'pinned', canaryText, preview && `preview ${preview.version}`]
    .filter(Boolean)
    .join('; ');
}

function offerOf(overview: RemoteOverview, command: string): readonly string[] {
  const why = whyWaiting(overview);
  const { remote, origin, withheld } = overview;
  if (!why) return [];
  const how = withheld ? ` To activate it: ${command} activate ${remote} ${origin?.offered}` : '';
  return [`Its origin offers ${origin?.offered}. ${why}${how}`];
}

function problemsOf(remote: RemoteOverview): readonly string[] {
  const damages = damageTexts(remote).map((text) => `! ${text}`);
  const { address, problem, previewProblem } = remote.origin ?? {};
  const describe = (what: string, found: typeof problem) =>
    found ? [`! ${what}${found.reason}, ${ageOf(Date.parse(found.since))}: ${found.message} (${address})`] : [];
  return [...damages, ...describe('', problem), ...describe('preview: ', previewProblem)];
}

/** Renders `releases list`: a line for each remote, with the problems of its releases and its origin. */
export function describeList(remotes: readonly RemoteOverview[], command: string): readonly string[] {
  const header = ['REMOTE', 'ACTIVE', 'SINCE', 'STORED', 'STATE'];
  const rows = remotes.map((each) => [
    each.remote,
    each.active ?? '–',
    each.activeSince ? ageOf(Date.parse(each.activeSince)) : '',
    String(each.stored.length),
    stateOf(each),
  ]);
  const [head = '', ...lines] = alignColumns([header, ...rows]);
  const problems = remotes.map((each) => [...offerOf(each, command), ...problemsOf(each)].map((text) => `  ${text}`));
  return [head, ...lines.flatMap((line, index) => [line, ...(problems[index] ?? [])])];
}

/** Renders `releases show`: a remote with its stored releases, its origin and its last changes. */
export function describeRemote(remote: RemoteOverview, changes: readonly ReleaseChange[]): readonly string[] {
  const header = ['VERSION', 'STANDING', 'MIRRORED', 'FILES', 'SIZE', 'COMMIT', 'AUTHOR', 'DESIGN SYSTEM'];
  const rows = remote.stored.map(({ version, standing, storedAt, files, size, commit, author, designSystem }) => [
    version,
    standing,
    ageOf(storedAt),
    String(files),
    sizeOf(size),
    commit?.slice(0, 8) ?? '–',
    author ?? '–',
    designSystem ?? '–',
  ]);
  const { origin } = remote;
  return [
    `${remote.remote}  ${stateOf(remote)}`.trimEnd(),
    origin ? `origin ${origin.address} offers ${origin.offered ?? 'nothing'}` : 'no server has polled its origin yet',
    ...[signatureText(remote), previewText(remote)].filter((text) => text !== undefined),
    ...problemsOf(remote),
    '',
    ...alignColumns([header, ...rows]),
    '',
    ...describeLog(changes),
  ];
}

/** Renders `releases log`: absolute times, which can be compared with those of other logs, and stay true in a report. */
export function describeLog(changes: readonly ReleaseChange[]): readonly string[] {
  const header = ['WHEN (UTC)', 'REMOTE', 'CHANGE', 'FROM', 'TO', 'BY', 'WHY'];
  const rows = changes.map(({ at, remote, action, from, to, by, why }) => [
    momentOf(new Date(at)),
    remote,
    action,
    from ?? '–',
    to,
    by,
    why,
  ]);
  return alignColumns([header, ...rows.toReversed()]);
}

/** Renders `releases sign-ins`, the latest first. */
export const describeSignIns = (signIns: readonly SignIn[]): readonly string[] =>
  alignColumns([
    ['WHEN (UTC)', 'OPERATOR', 'ACTION', 'NETWORK'],
    ...signIns
      .map(({ at, operator, action, network }) => [momentOf(new Date(at)), operator, action, network])
      .toReversed(),
  ]);

/** Renders `releases preview`. */
export function describePreview(overview: RemoteOverview, command: string): readonly string[] {
  const { remote, preview } = overview;
  const problems = problemsOf(overview);
  if (!preview)
    return [`${remote} has no preview. To make one: npm run release -w ${remote} -- --preview`, ...problems];
  return [
    `${remote}: ${previewText(overview)}.`,
    `To activate it: ${command} activate ${remote} ${preview.version}. To end it: ${command} preview ${remote} --end`,
    ...problems,
  ];
}

/** Describes a change and the possible next commands; `overview` is the remote's after the change. */
export function describeChange(change: ReleaseChange, overview: RemoteOverview, command: string): readonly string[] {
  const { remote, action, from, to } = change;
  const isStored = overview.stored.some(({ version }) => version === from);
  const unpin = `To unpin it: ${command} unpin ${remote}`;
  const next: Partial<Record<ReleaseChange['action'], string>> = {
    pin: unpin,
    ...(overview.pinned ? { activate: unpin } : {}),
    canary: `To promote it: ${command} canary ${remote} ${to} 100. To roll it back: ${command} rollback ${remote}`,
    ...(isStored
      ? {
          rollback: `To activate it again: ${command} activate ${remote} ${from}`,
          replace: `To go back: ${command} rollback ${remote}`,
        }
      : {}),
  };
  return [...describeDone(change, overview), next[action]].filter((line) => line !== undefined);
}
