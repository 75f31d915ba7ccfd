import { contains, dateOf, fetchCommand, GitError } from '@daybook/build/git';
import type { Release, Remote, State } from '@daybook/contract/release';
import { CommandError } from '@daybook/server/command-line';
import { root } from '@daybook/testing/workspaces';

/**
 * Checks that HEAD contains the commit of the release that visitors have: an older branch would undo a colleague's change.
 * Returns what git could not compare, for people.
 */
export function checkContains(
  remote: string,
  { version, commit, author }: Pick<Release, 'version' | 'commit' | 'author'>,
  at: string,
  repository = root,
): string | undefined {
  if (commit === undefined) return `not compared, ${version} names no commit`;
  const named = `commit ${commit.slice(0, 10)}${author ? ` by ${author}` : ''}`;
  const replace = `or replace it: npm run release ${remote} -- --replace "why"${at}`;
  let date: string | undefined;
  try {
    date = dateOf(repository, 'HEAD') && dateOf(repository, commit);
    if (contains(repository, commit)) return undefined;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (/no git repository|can't be called/.test(error.message)) return `not compared, ${error.message}`;
    throw new CommandError(
      `Visitors have ${named}, which this clone lacks. Run ${fetchCommand(repository)} and merge it;\n${replace}`,
    );
  }
  throw new CommandError(`Visitors have ${named} of ${date}, which your branch lacks. Merge it,\n${replace}`);
}

/** Checks that publishing a version gives it to visitors: a release that they had before is only activated on purpose. */
export function expectNew(
  { remote, state, releases }: Remote,
  rows: readonly State[],
  version: string,
  command: (words: string) => string,
): void {
  const status = releases.find((each) => each.version === version)?.status;
  if (status === undefined || status === 'active' || status === 'canary') return;
  if (status === 'stored' && !rows.some(({ active }) => active === version)) return;
  throw new CommandError(
    [
      `${remote}@${version} was ${status === 'rolled back' ? 'rolled back' : 'replaced'}; visitors get ${state?.active}.`,
      `To give it to all visitors again: ${command(`activate ${remote}@${version}`)}`,
    ].join('\n'),
  );
}
