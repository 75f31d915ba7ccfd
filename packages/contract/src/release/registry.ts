import type { PageRoute } from './release.ts';

/** Where the shell server tells the registry of this moment, for pages that have been open for a while. */
export const registryAddress = '/registry.json';

/** A release as the browser needs to know it: where its entry is, and which of its files it may take. */
export interface RegisteredRelease {
  readonly version: string;
  readonly entry: string;
  /**
   * The integrity values of the release's scripts and styles by file name; nothing else is taken. A page carries
   * them for the remote it belongs to, and learns the others' with the registry of the moment.
   */
  readonly integrity?: Readonly<Record<string, string>>;
}

/** A remote with its active release, its routes, and what stands in where that release fails. */
export interface RegisteredRemote extends RegisteredRelease {
  readonly name: string;
  readonly routes: readonly PageRoute[];
  /** The kept release that was active before; only in the registry of the moment. */
  readonly previous?: RegisteredRelease;
}

/** The remotes of the site with their active releases, inlined in every page. Made by the shell server, which checked each part. */
export interface Registry {
  readonly remotes: readonly RegisteredRemote[];
  /** Remotes of the site that have no release yet: an unknown path may be one of theirs. */
  readonly missing: readonly string[];
}

export interface RegisteredRoute {
  readonly remote: RegisteredRemote;
  readonly route: PageRoute;
}

/** Finds who serves a path, written as the route has it. Used alike by server and browser. */
export function findRoute(registry: Registry, path: string): RegisteredRoute | undefined {
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

/** The files of a release that a browser runs or styles with: those that need an integrity value. */
export const isScriptOrStyle = (file: string) => /\.(?:js|css)$/.test(file);
