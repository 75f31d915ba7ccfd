import type { Release } from '@daybook/contract/release';
import { filesUnlike, GitError, lastCommit, shallowEnds } from './git.ts';

/** Number of files that a reason names. */
const named = 3;

/** A commit that a release may state, or why it states none, for people. */
type SourceCommit = Pick<Release, 'commit' | 'author'> & { readonly why?: string };

/**
 * Returns the last commit that changed one of these sources, and its author; or why there is none: then nobody else could
 * build the release again. The release's version does not depend on it.
 *
 * @param root the repository's folder
 * @param sources files, relative to it
 */
export function sourceCommit(root: string, sources: readonly string[]): SourceCommit {
  try {
    const changed = filesUnlike(root, 'HEAD', sources);
    const more = changed.length > named ? ` and ${changed.length - named} more` : '';
    if (changed.length > 0) return { why: `not committed: ${changed.slice(0, named).join(', ')}${more}` };
    const { commit, author } = lastCommit(root, sources);
    if (shallowEnds(root).includes(commit))
      return { why: 'the clone is shallow, without the history of its sources: git fetch --unshallow' };
    return { commit, author: author.replaceAll(/\p{C}/gu, '').slice(0, 100) || undefined };
  } catch (error) {
    if (error instanceof GitError) return { why: error.message };
    throw error;
  }
}
