import { alignColumns } from '@daybook/server';
import { builtRelease } from '@daybook/testing/releases';
import { remotes } from '@daybook/testing/workspaces';
import {
  type Affected,
  affectedBrowserTests,
  affectedParts,
  affectedTests,
  changesSince,
  readImportGraph,
} from '../affected.ts';
import { buildStale } from '../build-stale.ts';
import { runCommand } from '../run-command.ts';

/**
 * Finds what changes since a commit touch; builds stale remotes first, because a build knows what it contains.
 *
 * @param since a commit, branch or tag
 * @param report receives a line for each build
 */
export async function findAffected(since: string, report: (line: string) => void) {
  const changes = changesSince(since);
  await buildStale(report, [...remotes, 'shell']);
  const graph = await readImportGraph();
  const parts = affectedParts(changes, graph);
  const routesOf = (remote: string) => builtRelease(remote).routes.map(({ path }) => path);
  return {
    parts,
    tests: affectedTests(changes, graph, parts),
    browserTests: affectedBrowserTests(changes, graph, parts, routesOf),
  };
}

/** A longer list with one cause is summarized. */
const maxLines = 8;

/** Causes shown for each part and test; the others are counted. */
const shownCauses = 2;

function row({ name, because }: Affected): readonly string[] {
  const more = because.length - shownCauses;
  return [`  ${name}`, `${because.slice(0, shownCauses).join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

function section(title: string, affected: readonly Affected[]): readonly string[] {
  const [first] = affected;
  if (!first) return [`${title}: none`];
  const causes = new Set(affected.map(({ because }) => because.join(', ')));
  if (affected.length > maxLines && causes.size === 1)
    return [`${title}: ${affected.length}, because ${first.because.join(', ')}`];
  return [`${title}:`, ...alignColumns(affected.map(row))];
}

/** `npm test -- --affected <commit> --list`: prints which remotes, servers and tests changes touch, and why. */
export const listAffected = (since: string): Promise<never> =>
  runCommand(async () => {
    const { parts, tests, browserTests } = await findAffected(since, console.error);
    console.log(
      [
        ...section(`Remotes and servers that contain a change since ${since}`, parts),
        '',
        ...section('Unit and integration tests', tests),
        '',
        ...section('Browser tests', browserTests),
      ].join('\n'),
    );
  });
