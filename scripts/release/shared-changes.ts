import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildSources, sourcesFileName } from '@daybook/build/sources';
import { releaseFileName, releaseSchema } from '@daybook/contract/release';
import { buildFolder, remotes } from '@daybook/testing/workspaces';
import { changesSince } from '../affected.ts';
import type { Candidate } from './candidate.ts';

function sourcesIn(folder: string): readonly string[] {
  const file = path.join(folder, sourcesFileName);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BuildSources).files : [];
}

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
    const { commit } = releaseSchema.parse(JSON.parse(readFileSync(path.join(origin, releaseFileName), 'utf8')));
    changed = commit ? changedSince(commit) : [];
  } catch {
    return [];
  }
  const others = remotes.filter((name) => name !== release.name);
  const shared = sourcesIn(folder).filter((file) => file.startsWith('packages/') && changed.includes(file));
  return shared.flatMap((file) => {
    const affected = others.filter((name) => sourcesIn(buildOf(name)).includes(file));
    return affected.length > 0 ? [`${file} changed: also affects ${affected.join(', ')}`] : [];
  });
}
