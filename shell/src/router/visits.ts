import type { RegisteredRoute, Registry } from '@daybook/contract/release';
import { type Location, matchRoutes, type NavigationType, type RouteObject } from 'react-router-dom';
import type { LoadedPage } from '../remotes/remote-on-page.ts';
import type { SiteRemotes } from '../remotes/site-remotes.ts';

/** Result of loading a route: its page, or the error. */
export type PageResult = LoadedPage | { readonly error: unknown };

/** A navigation of the visitor, and the result at its location. */
export interface Visit {
  readonly location: Location;
  readonly navigation: `${NavigationType}`;
  /** Identifies the state of its page: queries and anchors share it, another visit of the same path does not. */
  readonly pageKey: string;
  /** `undefined` for a path that no remote claims. */
  readonly registered: RegisteredRoute | undefined;
  /** Set if known synchronously, as for a prefetched page; `loading` is for the first page of a document. */
  readonly result?: PageResult | 'loading' | 'unknown path';
  readonly arrival: Promise<PageResult>;
}

export interface Start {
  /** Result of a page that was loaded before React started. */
  readonly first?: { readonly path: string; readonly result: PageResult };
  /** True if React hydrates the server's HTML. */
  readonly isHydrated?: boolean;
}

const never = new Promise<never>(() => undefined);

export const addressOf = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  pathname + search + hash;

/**
 * Returns the key of a history entry. A document's first entry, and entries that the browser creates for anchors within
 * a page, have none: their address is used.
 */
export const entryOf = (location: Location) => (location.key === 'default' ? addressOf(location) : location.key);

/**
 * Loads the page at each location of the site; the routes come from the registry, so a remote's new route needs no
 * change here.
 */
export class Visits {
  readonly remotes: Pick<SiteRemotes, 'of'>;
  /** Remotes without a release: an unknown path may be one of theirs. */
  readonly missing: readonly string[];
  readonly #routes: RouteObject[];
  /** By location, because React may render a navigation more than once. */
  readonly #visits = new WeakMap<Location, Visit>();
  /** True if the document's first page is the server's HTML. */
  readonly isHydrated: boolean;
  /** By history entry. */
  readonly #pageKeys = new Map<string, string>();
  #last: Pick<Visit, 'location' | 'pageKey'> | undefined;
  #first: Start['first'];
  #current = new AbortController();

  constructor(
    { remotes: registered, missing }: Registry,
    remotes: Visits['remotes'],
    { first, isHydrated = false }: Start = {},
  ) {
    this.remotes = remotes;
    this.missing = missing;
    this.isHydrated = isHydrated;
    this.#first = first;
    this.#routes = registered.flatMap((remote) =>
      remote.routes.map((route) => ({
        path: route.path,
        caseSensitive: true,
        handle: { remote, route } satisfies RegisteredRoute,
      })),
    );
  }

  /** Returns the visit of a location; the first call for a new location loads its page and aborts the previous load. */
  at(location: Location, navigation: `${NavigationType}`): Visit {
    const visit = this.#visits.get(location) ?? this.#begin(location, navigation);
    this.#visits.set(location, visit);
    return visit;
  }

  #begin(location: Location, navigation: `${NavigationType}`): Visit {
    this.#current.abort();
    this.#current = new AbortController();
    const registered: RegisteredRoute | undefined = matchRoutes(this.#routes, location)?.[0]?.route.handle;
    const visit = { location, navigation, pageKey: this.#pageKeyOf(location, navigation), registered };
    this.#last = visit;
    // The visitor may have gone back or forward to another page before React started.
    const first = this.#first?.path === registered?.route.path ? this.#first?.result : undefined;
    this.#first = undefined;
    if (!registered) return { ...visit, result: 'unknown path', arrival: never };
    const result = first ?? this.remotes.of(registered).loaded(registered.route.path);
    const arrival = first ? Promise.resolve(first) : this.#load(registered);
    return { ...visit, ...(result && { result }), arrival };
  }

  #pageKeyOf(location: Location, navigation: Visit['navigation']): string {
    const entry = entryOf(location);
    const stored = navigation === 'POP' ? this.#pageKeys.get(entry) : undefined;
    const inherited = this.#last?.location.pathname === location.pathname ? this.#last.pageKey : undefined;
    // The browser's entries for anchors have no key: an earlier visit of the same path may have the same anchor.
    const isAmbiguous = location.key === 'default' && location.hash !== '';
    const pageKey = (isAmbiguous ? (inherited ?? stored) : (stored ?? inherited)) ?? entry;
    this.#pageKeys.set(entry, pageKey);
    return pageKey;
  }

  /** Also called for a loaded page: the remote counts views and polls for new releases. */
  #load(registered: RegisteredRoute): Promise<PageResult> {
    return this.remotes
      .of(registered)
      .load(registered.route.path, this.#current.signal)
      .catch((error: unknown) => ({ error }));
  }
}
