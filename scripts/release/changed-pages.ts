import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
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
