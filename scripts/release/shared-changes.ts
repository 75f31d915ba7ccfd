import { execFileSync } from 'node:child_process';
import { readSources } from '@daybook/build/sources';
import { buildFolder, remotes, root } from '@daybook/testing/workspaces';

const git = (...words: readonly string[]) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).split('\0');

/**
 * Returns the files that differ from a commit, uncommitted and new ones included, relative to the repository's root.
 * Throws if git does not know it.
 */
const changedFiles = (commit: string): readonly string[] => [
  ...git('diff', '--name-only', '--no-renames', '-z', '--end-of-options', commit),
  ...git('ls-files', '--others', '--exclude-standard', '-z'),
];

/**
 * Returns a line for each file of the shared packages that is in a candidate and has changed since the published
 * release, with the other remotes whose last build contains it too. Empty if git does not know the commit of that
 * release.
 *
 * @param folder of the remote's candidate
 * @param commit that of the published release
 * @param changedSince returns the files that changed since a commit
 * @param buildOf returns the folder of a remote's build
 */
export function sharedChanges(
  remote: string,
  folder: string,
  commit: string | undefined,
  changedSince = changedFiles,
  buildOf = buildFolder,
): readonly string[] {
  let changed: readonly string[];
  try {
    changed = commit ? changedSince(commit) : [];
  } catch {
    return [];
  }
  const others = remotes.filter((name) => name !== remote);
  const shared = readSources(folder).files.filter((file) => file.startsWith('packages/') && changed.includes(file));
  return shared.flatMap((file) => {
    const affected = others.filter((name) => readSources(buildOf(name)).files.includes(file));
    return affected.length > 0 ? [`${file} changed: also affects ${affected.join(', ')}`] : [];
  });
}
