import { filesUnlike, GitError } from '@daybook/build/git';
import { readSources } from '@daybook/build/sources';
import { buildFolder, remotes, root } from '@daybook/runner/workspaces';

/**
 * Returns a line for each file of the shared packages that is in a build and has changed since the published
 * release, with the other remotes whose last build contains it too. Empty if git does not know the commit of that
 * release.
 *
 * @param folder of the remote's build
 * @param commit that of the published release
 * @param repository folder of the sources
 * @param buildOf returns the folder of a remote's build
 */
export function sharedChanges(
  remote: string,
  folder: string,
  commit: string | undefined,
  repository = root,
  buildOf = buildFolder,
): readonly string[] {
  const shared = readSources(folder).files.filter((file) => file.startsWith('packages/'));
  let changed: readonly string[];
  try {
    changed = commit ? filesUnlike(repository, commit, shared) : [];
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
  const others = remotes.filter((name) => name !== remote);
  return changed.flatMap((file) => {
    const affected = others.filter((name) => readSources(buildOf(name)).files.includes(file));
    return affected.length > 0 ? [`${file} changed: also affects ${affected.join(', ')}`] : [];
  });
}
