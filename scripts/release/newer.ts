import { spawnSync } from 'node:child_process';
import type { Release } from '@daybook/contract/release';
import { CommandError } from '@daybook/server';
import { root } from '@daybook/testing/workspaces';

/** Returns what git prints, or `undefined` if it fails: without a repository, or for a commit that it does not have. */
function git(repository: string, ...parameters: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', parameters, { cwd: repository, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Checks that this clone contains the commit of the release that visitors have: a release of an older branch would undo a
 * colleague's change.
 *
 * @param published the release that visitors have
 * @returns what could not be compared, for people; `undefined` if the clone contains the commit
 * @throws CommandError naming the commit, its author and its date
 */
export function checkContains(
  { name, version, commit, author }: Pick<Release, 'name' | 'version' | 'commit' | 'author'>,
  repository = root,
): string | undefined {
  if (commit === undefined) return `${version}, which visitors have, names no commit to compare with`;
  if (git(repository, 'rev-parse', 'HEAD') === undefined) return 'no git repository to compare with';
  if (git(repository, 'merge-base', '--is-ancestor', commit, 'HEAD') !== undefined) return undefined;
  const date = git(repository, 'show', '--no-patch', '--format=%cs', commit);
  const by = author === undefined ? '' : ` by ${author}`;
  const where = date === undefined ? 'which this clone does not have' : `of ${date}, which is not in this branch`;
  throw new CommandError(
    [
      `Visitors have ${name}@${version} of commit ${commit.slice(0, 10)}${by}, ${where}: a release of yours would undo it.`,
      `${date === undefined ? 'git fetch, then merge' : 'Merge'} ${commit.slice(0, 10)}; or replace it: npm run release ${name} -- --replace-newer "why"`,
    ].join('\n'),
  );
}
