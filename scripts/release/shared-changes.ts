import { readSources } from '@daybook/build/sources';
import { buildFolder, remotes } from '@daybook/testing/workspaces';
import { changesSince } from '../affected.ts';
import { type Candidate, readCandidate } from './candidate.ts';

/**
 * Returns a line for each file of the shared packages that is in a candidate and has changed since the release at its
 * origin, with the other remotes whose last build contains it too. Empty if git does not know the commit of that release.
 *
 * @param changedSince returns the files that changed since a commit
 * @param buildOf returns the folder of a remote's build
 */
export function sharedChanges(
  { folder, release }: Pick<Candidate, 'folder' | 'release'>,
  origin: string,
  changedSince = (commit: string) => changesSince(commit).files,
  buildOf = buildFolder,
): readonly string[] {
  let changed: readonly string[];
  try {
    const { commit } = readCandidate(origin).release;
    changed = commit ? changedSince(commit) : [];
  } catch {
    return [];
  }
  const others = remotes.filter((name) => name !== release.name);
  const shared = readSources(folder).files.filter((file) => file.startsWith('packages/') && changed.includes(file));
  return shared.flatMap((file) => {
    const affected = others.filter((name) => readSources(buildOf(name)).files.includes(file));
    return affected.length > 0 ? [`${file} changed: also affects ${affected.join(', ')}`] : [];
  });
}
