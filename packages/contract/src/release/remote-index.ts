import type { PageRoute } from './release.ts';

export const remoteIndexUrl = '/registry.json';

export interface RegisteredRelease {
  readonly version: string;
  readonly entry: string;
  /** Hashes of scripts and styles by file name; no other file is loaded. A page contains those of its own remote. */
  readonly integrity?: Readonly<Record<string, string>>;
}

/** A route in the remote index; a page contains only the fields that the browser needs. */
export type RegisteredPage = Omit<PageRoute, 'description' | 'noIndex'> &
  Partial<PageRoute> & {
    /** Scripts and styles that the page needs beside the entry. */
    readonly files?: readonly string[];
  };

export interface RegisteredRemote extends RegisteredRelease {
  readonly name: string;
  readonly routes: readonly RegisteredPage[];
  readonly redirects?: Readonly<Record<string, string>>;
  /** The stored release that was active before; only in the current remote index. */
  readonly previous?: RegisteredRelease;
}

/** The remotes of the site with their active releases, inlined in every page and served at `/registry.json`. */
export interface RemoteIndex {
  readonly remotes: readonly RegisteredRemote[];
  /** Remotes of the site without a release: an unknown path may be one of theirs. */
  readonly missing: readonly string[];
  /** The previewed release, `<remote>@<version>`. */
  readonly preview?: string;
}

export interface RegisteredRoute {
  readonly remote: RegisteredRemote;
  readonly route: RegisteredPage;
}

/** Finds the remote and route of a path, which must match exactly. */
export function findRoute(index: RemoteIndex, path: string): RegisteredRoute | undefined {
  for (const remote of index.remotes) {
    const route = remote.routes.find((candidate) => candidate.path === path);
    if (route) return { remote, route };
  }
  return undefined;
}

/** Returns where the URL of a former page leads, with its query and anchor; `undefined` if it is not redirected. */
export function redirectOf({ remotes }: Pick<RemoteIndex, 'remotes'>, url: string): string | undefined {
  const path = url.replace(/[?#].*$/s, '');
  for (const { redirects = {} } of remotes)
    if (Object.hasOwn(redirects, path)) return `${redirects[path]}${url.slice(path.length)}`;
  return undefined;
}

export function releaseFileUrl(remote: Pick<RegisteredRemote, 'name' | 'version'>, file: string): string {
  return `/remotes/${remote.name}/${remote.version}/${file}`;
}

export const isScriptOrStyle = (file: string) => /\.(?:js|css)$/.test(file);

/** Returns the name under which a remote's container exposes the page of a route. */
export const exposedName = (path: string) => `.${path}`;
