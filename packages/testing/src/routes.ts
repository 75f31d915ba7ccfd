import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract';
import { examplesOf, remotes, root } from './workspaces.ts';

/** A page of the site. */
export interface SiteRoute {
  readonly remote: string;
  readonly path: string;
  /** Path and query that it is opened with. */
  readonly address: string;
}

/** The release that a remote's build has left. */
export function builtRelease(remote: string): Release {
  const file = path.join(root, remote, 'dist', releaseFileName);
  return releaseSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/**
 * The pages of all remotes as built; the home page first.
 *
 * @param only paths of those that are wanted; all where left out
 * @throws Error naming a path that no remote has
 */
export function siteRoutes(only?: readonly string[]): readonly SiteRoute[] {
  const all = remotes.flatMap((remote) => {
    const examples = examplesOf(remote);
    return builtRelease(remote).routes.map(({ path }) => ({ remote, path, address: path + (examples[path] ?? '') }));
  });
  const home = all.filter(({ path }) => path === '/');
  const ordered = [...home, ...all.filter((route) => !home.includes(route))];
  const unknown = only?.find((path) => !all.some((route) => route.path === path));
  if (unknown !== undefined)
    throw new Error(`No remote has a page ${unknown}; there are ${ordered.map(({ path }) => path).join(', ')}.`);
  return ordered.filter(({ path }) => only?.includes(path) ?? true);
}
