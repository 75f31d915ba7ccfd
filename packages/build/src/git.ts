import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';

/** What git could not answer; the message is for people. */
export class GitError extends Error {}

/** Runs git in a repository; `undefined` if it answers no. @throws GitError */
function git(root: string, ...words: readonly string[]): string | undefined {
  const folder = path.join(root, '.git');
  // Git would take a repository around the folder.
  if (!existsSync(folder)) throw new GitError('there is no git repository');
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(inherited), GIT_DIR: folder, GIT_WORK_TREE: root, LC_ALL: 'C' };
  const { error, status, stdout, stderr } = spawnSync('git', words, { cwd: root, env, encoding: 'utf8' });
  if (error) throw new GitError(`git can't be called: ${error.message}`);
  if (status === 0) return stdout.trimEnd();
  if (status === 1) return undefined;
  throw new GitError(stderr.trim().split('\n', 1)[0]);
}

const head = (root: string) => git(root, 'rev-parse', '--verify', 'HEAD') ?? '';

const changedFiles = (root: string, ...words: readonly string[]): readonly string[] =>
  (git(root, 'status', '--porcelain', ...words) ?? '').split('\n').flatMap((line) => line.slice(3) || []);

/** Returns HEAD and its author if these folders are committed, or why a release names no commit. */
export function sourceCommit(
  root: string,
  folders: readonly string[],
): Pick<Release, 'commit' | 'author'> & { readonly why?: string } {
  try {
    const [first, ...others] = changedFiles(root, '--untracked-files=all', '--', ...folders);
    if (first) return { why: `${first}${others.length > 0 ? ` and ${others.length} more are` : ' is'} not committed` };
    const author = git(root, 'log', '-1', '--format=%an')?.replaceAll(/\p{C}/gu, '').slice(0, 100);
    return { commit: head(root), author: author || undefined };
  } catch (error) {
    if (error instanceof GitError) return { why: error.message };
    throw error;
  }
}

/** Returns whether HEAD contains a commit. @throws GitError also if the clone lacks it */
export const contains = (root: string, commit: string): boolean =>
  git(root, 'merge-base', '--is-ancestor', commit, 'HEAD') !== undefined;

export const fetchCommand = (root: string): string =>
  git(root, 'rev-parse', '--is-shallow-repository') === 'true' ? 'git fetch --unshallow' : 'git fetch';

export const dateOf = (root: string, commit: string) => git(root, 'log', '-1', '--format=%cs', commit);

/** Returns HEAD, with `-dirty` if one of its files has changed. @throws GitError */
export const revision = (root: string): string =>
  `${head(root)}${changedFiles(root, '--untracked-files=no').length > 0 ? '-dirty' : ''}`;
