import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Timeout of a call of git, in ms: in a partial clone, git may fetch what is missing. */
const timeout = 60_000;

/** What git could not answer; the message is for people. */
export class GitError extends Error {}

/**
 * Returns the environment of git for the repository in a folder. Named by its path, the repository is not searched in the
 * folders above, may belong to another user, and is not the one that a hook's variables name.
 */
function environmentOf(root: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(inherited),
    GIT_DIR: path.join(root, '.git'),
    GIT_WORK_TREE: root,
    // Names of files are no patterns, commits are not replaced by others.
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    // Git neither writes to the repository, nor asks for a password.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

/**
 * Runs git's plumbing on the repository in a folder, and on no other one. Every call of git goes through here.
 * Plumbing, since its output is the same whatever a person has configured: porcelain shows signatures, colors and
 * relative paths, hides new files, and runs programs.
 *
 * @returns the status, 0 or 1, and what git prints
 * @throws GitError if there is no repository or no git, and if git fails
 */
function run(root: string, words: readonly string[]) {
  if (!existsSync(path.join(root, '.git'))) throw new GitError('no git repository');
  const options = { cwd: root, encoding: 'utf8', env: environmentOf(root), timeout, maxBuffer: 2 ** 28 } as const;
  const { error, status, stdout, stderr } = spawnSync('git', words, options);
  if (error && 'code' in error && error.code === 'ENOENT') throw new GitError('git is not installed');
  if (error) throw new GitError(`git fails: ${error.message}`);
  if (status === 0 || status === 1) return { status, stdout };
  throw new GitError(`git fails: ${stderr.trim().split('\n', 1)[0]}`);
}

/** Returns the hash under which git stores a file: of its very bytes, without the filters of a checkout. */
function blobId(content: Buffer, algorithm: string): string {
  return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex');
}

/**
 * Returns the files whose bytes are not those of a commit, in their order: changed, new and missing ones. By their
 * content, since git's index may skip a file (`--assume-unchanged`), and says nothing of ignored ones.
 *
 * @param files relative to the root
 * @throws GitError if the commit is not known
 */
export function filesUnlike(root: string, commit: string, files: readonly string[]): readonly string[] {
  const { stdout } = run(root, ['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...files]);
  const ids = new Map(
    stdout.split('\0').map((entry) => {
      const [meta = '', name = ''] = entry.split(/\t(.*)/s);
      return [name, meta.split(' ')[2] ?? ''];
    }),
  );
  return files.filter((file) => {
    const id = ids.get(file);
    const place = path.join(root, file);
    if (!id || !existsSync(place)) return id !== undefined || existsSync(place);
    return blobId(readFileSync(place), id.length === 64 ? 'sha256' : 'sha1') !== id;
  });
}

/** Returns the commits at which the history of a shallow clone ends; none in other clones. */
export function shallowEnds(root: string): readonly string[] {
  const { stdout } = run(root, ['rev-parse', '--git-path', 'shallow']);
  const file = path.resolve(root, stdout.trim());
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/**
 * Returns the last commit that changed one of these files, and its author. In a shallow clone this may be an end of its
 * history, which seems to have added all files.
 *
 * @param files relative to the root
 * @throws GitError if there is none
 */
export function lastCommit(root: string, files: readonly string[]) {
  const format = ['--max-count=1', '--encoding=UTF-8', '--format=%an'];
  const { stdout } = run(root, ['rev-list', ...format, 'HEAD', '--', ...files]);
  const [commit = '', author = ''] = stdout.replace(/^commit /, '').split('\n');
  if (commit === '') throw new GitError('no commit has the files');
  return { commit, author };
}

/**
 * Returns whether HEAD is a commit or contains it; false for a commit that this clone does not have.
 *
 * @throws GitError if there is no repository, or nothing is committed
 */
export function contains(root: string, commit: string): boolean {
  run(root, ['rev-list', '--max-count=1', 'HEAD', '--']);
  return dateOf(root, commit) !== undefined && run(root, ['merge-base', '--is-ancestor', commit, 'HEAD']).status === 0;
}

/** Returns the date of a commit, like 2026-11-20; `undefined` if this clone does not have it. */
export function dateOf(root: string, commit: string): string | undefined {
  try {
    return run(root, ['rev-list', '--max-count=1', '--format=%cs', commit, '--']).stdout.split('\n')[1];
  } catch {
    return undefined;
  }
}

/** Returns the commit that is checked out, followed by `-dirty` if a file of it has changed. @throws GitError */
export function revision(root: string): string {
  const { stdout } = run(root, ['rev-parse', '--verify', 'HEAD^{commit}']);
  const withoutHelper = ['-c', 'core.fsmonitor=false', '-c', 'diff.ignoreSubmodules=none'];
  const status = [...withoutHelper, 'status', '--porcelain=v1', '-z', '--untracked-files=no'];
  return `${stdout.trim()}${run(root, status).stdout === '' ? '' : '-dirty'}`;
}
