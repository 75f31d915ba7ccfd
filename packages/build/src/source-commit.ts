import { execFileSync } from 'node:child_process';
import type { Release } from '@daybook/contract/release';

/**
 * Returns the last commit that changed one of these sources, and its author; nothing without a git repository, as in a
 * container, or with uncommitted changes. The release's version does not depend on it.
 *
 * @param root the repository's folder
 * @param sources files, relative to it
 */
export function sourceCommit(root: string, sources: readonly string[]): Pick<Release, 'commit' | 'author'> {
  const git = (...parameters: readonly string[]) =>
    execFileSync('git', [...parameters, '--', ...sources], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    if (git('status', '--porcelain') !== '') return {};
    const [commit = '', author = ''] = git('log', '-1', '--format=%H%n%an').split('\n');
    return commit === '' ? {} : { commit, author: author.replaceAll(/\p{C}/gu, '').slice(0, 100) || undefined };
  } catch {
    return {};
  }
}
