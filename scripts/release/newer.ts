import { contains, dateOf, GitError, shallowEnds } from '@daybook/build/git';
import type { Release } from '@daybook/contract/release';
import { root } from '@daybook/runner/workspaces';
import { CommandError } from '@daybook/server/command-line';

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
  let isShallow: boolean;
  try {
    if (contains(repository, commit)) return undefined;
    // Then the commit may be in the part that is missing.
    isShallow = shallowEnds(repository).length > 0;
  } catch (error) {
    if (error instanceof GitError) return `${error.message}: not compared with ${version}`;
    throw error;
  }
  const date = dateOf(repository, commit);
  const by = author === undefined ? '' : ` by ${author}`;
  const where = date === undefined ? 'which this clone does not have' : `of ${date}, which is not in this branch`;
  const merge = `${date === undefined ? 'git fetch, then merge' : 'Merge'} ${commit.slice(0, 10)}`;
  const advice = isShallow ? 'This clone is shallow: git fetch --unshallow, then release again' : merge;
  throw new CommandError(
    [
      `Visitors have ${name}@${version} of commit ${commit.slice(0, 10)}${by}, ${where}: a release of yours would undo it.`,
      `${advice}; or replace it: npm run release ${name} -- --replace-newer "why"`,
    ].join('\n'),
  );
}
