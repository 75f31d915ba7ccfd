import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { sharedSources, sourceFolders } from './source-hash.ts';

/** Commit of a release's sources; absent without a git repository, as in a container, or with uncommitted changes. */
export interface SourceCommit {
  readonly commit?: string;
  readonly author?: string;
}

/**
 * Returns the last commit that changed the sources of a workspace: the same for equal sources of one history, whichever
 * commit is checked out. The release's version does not depend on it.
 *
 * @param root the repository's folder
 * @param folder the workspace's folder
 */
export function sourceCommit(root: string, folder: string): SourceCommit {
  const sources = [...sourceFolders(root, folder), ...sharedSources.map((file) => path.join(root, file))];
  const git = (...parameters: readonly string[]) =>
    execFileSync('git', [...parameters, '--', ...sources], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    if (git('status', '--porcelain') !== '') return {};
    const [commit = '', author = ''] = git('log', '-1', '--format=%H%n%an').split('\n');
    const name = author.replaceAll(/\p{C}/gu, '').slice(0, 100);
    return commit === '' ? {} : { commit, ...(name ? { author: name } : {}) };
  } catch {
    return {};
  }
}
