import type { ReleaseRoute } from './release.ts';

/** A remote as the browser needs to know it: where its active release's entry is, and its routes. */
export interface RegisteredRemote {
  readonly name: string;
  readonly version: string;
  /** Root-relative address of the remote entry. */
  readonly entry: string;
  readonly routes: readonly ReleaseRoute[];
}

/** The remotes of the site with their active releases, inlined in every page. Made by the shell server, which checked each part. */
export interface Registry {
  readonly remotes: readonly RegisteredRemote[];
}

/** A route together with the remote that owns it. */
export interface RegisteredRoute {
  readonly remote: RegisteredRemote;
  readonly route: ReleaseRoute;
}

/** Finds who serves a path; a trailing slash makes no difference. Used alike by server and browser. */
export function findRoute(registry: Registry, pathname: string): RegisteredRoute | undefined {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  for (const remote of registry.remotes) {
    const route = remote.routes.find((candidate) => candidate.path === path);
    if (route) return { remote, route };
  }
  return undefined;
}

/** Address of a release's file on the site. */
export function releaseFileAddress(remote: Pick<RegisteredRemote, 'name' | 'version'>, file: string): string {
  return `/remotes/${remote.name}/${remote.version}/${file}`;
}
