import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readSources } from '@daybook/build/sources';
import type { Release } from '@daybook/contract/release';
import { buildFolder, remotes } from '@daybook/testing/workspaces';
import { changesSince } from '../affected.ts';
import { type Candidate, readCandidate } from './candidate.ts';

/** Returns everything that a route consists of, without its release's version, which is in names and contents. */
function contentOf(folder: string, { version, entry, routes }: Release, routePath: string): string | undefined {
  const route = routes.find((each) => each.path === routePath);
  if (!route) return undefined;
  const files = [entry, ...route.files, ...(route.fragment ? [route.fragment] : [])];
  const contents = files.map((file) => readFileSync(path.join(folder, file), 'latin1'));
  const hash = version.split('-').at(-1) ?? version;
  return JSON.stringify([route, ...contents])
    .replaceAll(version, '<version>')
    .replaceAll(hash, '<hash>');
}

/**
 * Returns the paths of pages that differ from those of the release at an origin; all of them if there is none that can
 * be read.
 */
export function changedPages({ folder, release }: Pick<Candidate, 'folder' | 'release'>, origin: string): Set<string> {
  const paths = release.routes.map((route) => route.path);
  try {
    const before = readCandidate(origin).release;
    return new Set(paths.filter((each) => contentOf(folder, release, each) !== contentOf(origin, before, each)));
  } catch {
    return new Set(paths);
  }
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
