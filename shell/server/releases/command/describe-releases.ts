import { ageOf, alignColumns, sizeOf } from '@daybook/server';
import type { LogProblem } from '../log/log-problems.ts';
import type { ReleaseChange } from '../log/release-change.ts';
import type { RemoteOverview } from '../release-overview.ts';
import { sentenceOf } from '../texts/change-texts.ts';
import { damageTexts } from '../texts/damage-texts.ts';
import { logProblemTexts } from '../texts/log-problem-texts.ts';
import { afterUnpin } from '../texts/waiting-texts.ts';

function stateOf({ remote, pinned, canary, active }: RemoteOverview, others: readonly string[] = []): string {
  const canaryText =
    canary && `canary ${canary.version} for ${canary.percent} %${canary.auto ? ', ends by itself' : ''}`;
  // A server that was started with it serves it; one that was not has it no more.
  const other = others.includes(remote) ? 'not in REMOTES of this command' : '';
  return [active ? '' : 'no release yet', pinned ? 'pinned' : '', canaryText ?? '', other].filter(Boolean).join('; ');
}

function problemsOf(remote: RemoteOverview, now: number): readonly string[] {
  const damages = damageTexts(remote).map((text) => `! ${text}`);
  const { origin } = remote;
  if (!origin?.problem) return damages;
  const { reason, message, since } = origin.problem;
  return [...damages, `! ${reason}, ${ageOf(Date.parse(since), now)}: ${message} (${origin.address})`];
}

/**
 * `releases list`: a line for each remote, what is wrong with its releases or at its origin, and with the log.
 *
 * @param others those of the remotes that the command's `REMOTES` does not have
 */
export function describeList(
  remotes: readonly RemoteOverview[],
  logProblems: readonly LogProblem[],
  now: number,
  others: readonly string[],
): readonly string[] {
  const header = ['REMOTE', 'ACTIVE', 'SINCE', 'KEPT', 'STATE'];
  const rows = remotes.map((each) => [
    each.remote,
    each.active ?? '–',
    each.activeSince ? ageOf(Date.parse(each.activeSince), now) : '',
    String(each.kept.length),
    stateOf(each, others),
  ]);
  const [head = '', ...lines] = alignColumns([header, ...rows]);
  const problems = remotes.map((each) => problemsOf(each, now).map((problem) => `  ${problem}`));
  const ofLog = logProblemTexts(logProblems).map((text) => `! ${text}`);
  return [head, ...lines.flatMap((line, index) => [line, ...(problems[index] ?? [])]), ...ofLog];
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

/** What a change means, for the one who made it; `overview` is the remote's after it. */
export function describeChange(change: ReleaseChange, overview: RemoteOverview): readonly string[] {
  const { remote, action, from, to, auto } = change;
  const served = `${sentenceOf(change)} Running servers serve it within a second.`;
  switch (action) {
    case 'rollback':
      return [
        served,
        overview.kept.some(({ version }) => version === from)
          ? `${from} is not activated by itself again. To take it after all: releases pin ${remote} ${from}`
          : `${from} is not activated by itself again. It is not kept here any more.`,
      ];
    case 'pin':
      return [served, `Newer releases are mirrored and wait. To let them follow: releases unpin ${remote}`];
    case 'unpin':
      return [`${sentenceOf(change)} ${afterUnpin(overview)}`];
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
