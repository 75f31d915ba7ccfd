import type { PageRoute } from './release.ts';

/** URL of the shell server's current remote index, for pages that have been open for a while. */
export const remoteIndexUrl = '/registry.json';

/** A release as the browser needs it: the URL of its entry, and the files that it may load. */
export interface RegisteredRelease {
  readonly version: string;
  readonly entry: string;
  /**
   * The integrity values of the release's scripts and styles by file name; no other file is loaded. A page contains
   * those of its own remote, and gets the others from the current remote index.
   */
  readonly integrity?: Readonly<Record<string, string>>;
}

/** A route in the remote index; a page contains only the fields that the browser needs. */
export type RegisteredPage = Omit<PageRoute, 'description' | 'noIndex'> &
  Partial<PageRoute> & {
    /** Scripts and styles that the page needs beside the entry; contained where the remote's integrity values are. */
    readonly files?: readonly string[];
  };

/** A remote with its active release, its routes, and the fallback release. */
export interface RegisteredRemote extends RegisteredRelease {
  readonly name: string;
  readonly routes: readonly RegisteredPage[];
  /** Paths of former pages, each with the existing page that replaces it. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** The stored release that was active before; only in the current remote index. */
  readonly previous?: RegisteredRelease;
}

/**
 * The remotes of the site with their active releases, inlined in every page and served at `/registry.json`. The shell
 * server makes it of the releases in the release registry, and has validated each part.
 */
export interface RemoteIndex {
  readonly remotes: readonly RegisteredRemote[];
  /** Remotes of the site without a release: an unknown path may be one of theirs. */
  readonly missing: readonly string[];
  /** The previewed release, `<remote>@<version>`; only for visitors with the link of its preview. */
  readonly preview?: string;
}

export interface RegisteredRoute {
  readonly remote: RegisteredRemote;
  readonly route: RegisteredPage;
}

/** Finds the remote and route of a path, which must match the route exactly. Shared by server and browser. */
export function findRoute(index: RemoteIndex, path: string): RegisteredRoute | undefined {
  for (const remote of index.remotes) {
    const route = remote.routes.find((candidate) => candidate.path === path);
    if (route) return { remote, route };
  }
  return undefined;
}

/**
 * Returns where the URL of a former page leads: with the path of the page that replaces it, and its own query and
 * anchor. Shared by server and browser.
 *
 * @param url path of the site, with query and anchor if there are any
 * @returns `undefined` if its path is not redirected
 */
export function redirectOf({ remotes }: Pick<RemoteIndex, 'remotes'>, url: string): string | undefined {
  const path = url.replace(/[?#].*$/s, '');
  for (const { redirects = {} } of remotes)
    if (Object.hasOwn(redirects, path)) return `${redirects[path]}${url.slice(path.length)}`;
  return undefined;
}

/** Returns the URL of a release's file on the site. */
export function releaseFileUrl(remote: Pick<RegisteredRemote, 'name' | 'version'>, file: string): string {
  return `/remotes/${remote.name}/${remote.version}/${file}`;
}

/** Returns the files of a release that need an integrity value: scripts and styles. */
export const isScriptOrStyle = (file: string) => /\.(?:js|css)$/.test(file);

/** Returns the name under which a remote's container exposes the page of a route. */
export const exposedName = (path: string) => `.${path}`;
