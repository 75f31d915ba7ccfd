import type { Release } from '@daybook/contract/release';
import { builtRelease } from './builds.ts';
import { examplesOf, remotes } from './workspaces.ts';

export type SiteRoute = Release['routes'][number] & {
  readonly remote: string;
  /** Path and query of the request. */
  readonly url: string;
};

/** Returns the pages of all built remotes, or only some; the home page first. */
export function siteRoutes(only?: readonly string[]): readonly SiteRoute[] {
  const all = remotes.flatMap((remote) => {
    const urlOf = (path: string) => path + (examplesOf(remote)[path] ?? '');
    return builtRelease(remote).routes.map((route) => ({ ...route, remote, url: urlOf(route.path) }));
  });
  const ordered = all.toSorted((one, other) => Number(other.path === '/') - Number(one.path === '/'));
  const unknown = only?.find((path) => !all.some((route) => route.path === path));
  if (unknown !== undefined)
    throw new Error(`No remote has a page ${unknown}; there are ${ordered.map(({ path }) => path).join(', ')}.`);
  return ordered.filter(({ path }) => only?.includes(path) ?? true);
}
