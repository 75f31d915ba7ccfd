import { ageOf, alignColumns, sizeOf } from '@daybook/contract/server';
import type { ReleaseChange } from '../log/release-change.ts';
import type { RemoteOverview } from '../release-overview.ts';
import { sentenceOf } from '../texts/change-texts.ts';

function stateOf({ pinned, canary, active }: RemoteOverview): string {
  const canaryText =
    canary && `canary ${canary.version} for ${canary.percent} %${canary.auto ? ', ends by itself' : ''}`;
  return [active ? '' : 'no release yet', pinned ? 'pinned' : '', canaryText ?? ''].filter(Boolean).join('; ');
}

function problemsOf({ active, served, origin }: RemoteOverview, now: number): readonly string[] {
  const problems: string[] = [];
  if (active !== served)
    problems.push(`! ${active} is damaged or gone; visitors get ${served ?? 'a fallback'} instead`);
  if (origin?.problem) {
    const { reason, message, since } = origin.problem;
    problems.push(`! ${reason}, ${ageOf(Date.parse(since), now)}: ${message} (${origin.address})`);
  }
  return problems;
}

/**
 * `releases list`: a line for each remote, and what is wrong with it.
 *
 * @param logProblems what is wrong with the log
 */
export function describeList(
  remotes: readonly RemoteOverview[],
  logProblems: readonly string[],
  now: number,
): readonly string[] {
  const header = ['REMOTE', 'ACTIVE', 'SINCE', 'KEPT', 'STATE'];
  const rows = remotes.map((each) => [
    each.remote,
    each.active ?? '–',
    each.activeSince ? ageOf(Date.parse(each.activeSince), now) : '',
    String(each.kept.length),
    stateOf(each),
  ]);
  const [head = '', ...lines] = alignColumns([header, ...rows]);
  const problems = remotes.map((each) => problemsOf(each, now).map((problem) => `  ${problem}`));
  const rest = logProblems.map((problem) => `! ${problem}`);
  return [head, ...lines.flatMap((line, index) => [line, ...(problems[index] ?? [])]), ...rest];
}

/** `releases show`: a remote with its kept releases, its origin and its last changes. */
export function describeRemote(
  remote: RemoteOverview,
  changes: readonly ReleaseChange[],
  now: number,
): readonly string[] {
  const header = ['VERSION', 'STANDING', 'MIRRORED', 'FILES', 'SIZE'];
  const kept = remote.kept.map(({ version, standing, storedAt, files, size }) => [
    version,
    standing,
    ageOf(storedAt, now),
    String(files),
    sizeOf(size),
  ]);
  const { origin } = remote;
  return [
    `${remote.remote}  ${stateOf(remote)}`.trimEnd(),
    origin ? `origin ${origin.address} offers ${origin.offered ?? 'nothing'}` : 'no server has asked its origin yet',
    ...problemsOf(remote, now),
    '',
    ...alignColumns([header, ...kept]),
    '',
    ...describeLog(changes, now),
  ];
}

/** The changes of the log, the latest first. */
export function describeLog(changes: readonly ReleaseChange[], now: number): readonly string[] {
  const header = ['WHEN', 'REMOTE', 'CHANGE', 'FROM', 'TO', 'BY', 'WHY'];
  const rows = changes
    .toReversed()
    .map(({ at, remote, action, from, to, by, why }) => [
      ageOf(Date.parse(at), now),
      remote,
      action,
      from ?? '–',
      to,
      by,
      why,
    ]);
  return alignColumns([header, ...rows]);
}

/** What a change means, for the one who made it. */
export function describeChange(change: ReleaseChange): readonly string[] {
  const { remote, action, from, to, auto } = change;
  const served = `${sentenceOf(change)} Running servers serve it within a second.`;
  switch (action) {
    case 'rollback':
      return [served, `${from} is not activated by itself again. To take it after all: releases pin ${remote} ${from}`];
    case 'pin':
      return [served, `Newer releases are mirrored and wait. To let them follow: releases unpin ${remote}`];
    case 'unpin':
      return [
        `${sentenceOf(change)} Newer releases follow again: what its origin offers becomes active at the next look, unless it was taken back or a canary runs.`,
      ];
    case 'canary':
      return [
        served,
        ...(auto ? ['It is ended by itself where it fails too often.'] : []),
        `To give it to all: releases canary ${remote} ${to} 100. To take it back: releases rollback ${remote}`,
      ];
    case 'activate':
      return [served];
  }
}
