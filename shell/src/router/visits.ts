import type { RegisteredRoute, Registry } from '@daybook/contract';
import { type Location, matchRoutes, type NavigationType, type RouteObject } from 'react-router-dom';
import type { LoadedPage } from '../remotes/remote-on-page.ts';
import type { SiteRemotes } from '../remotes/site-remotes.ts';

/** What a remote gave for a route: its page, or why there is none. */
export type Outcome = LoadedPage | { readonly error: unknown };

/** A navigation of the visitor, and what there is at its location. */
export interface Visit {
  readonly location: Location;
  readonly navigation: `${NavigationType}`;
  /** `undefined` for a path that no remote claims. */
  readonly registered: RegisteredRoute | undefined;
  /** Where it is known at once, such as a prefetched page; `loading` stands for the first page of a document. */
  readonly outcome?: Outcome | 'loading' | 'unknown path';
  readonly arrival: Promise<Outcome>;
}

export interface Start {
  /** The page of a release, loaded or failed before React began. */
  readonly first?: { readonly registered: RegisteredRoute; readonly outcome: Outcome };
  /** Whether React takes over the server's HTML. */
  readonly isHydrated?: boolean;
}

const never = new Promise<never>(() => undefined);

/** Loads what there is at each location of the site; its routes are the registry's, so a remote's new route needs no change here. */
export class Visits {
  readonly remotes: Pick<SiteRemotes, 'of'>;
  /** Remotes without a release: an unknown path may be one of theirs. */
  readonly missing: readonly string[];
  readonly #routes: RouteObject[];
  /** By location, since React may render a navigation more than once. */
  readonly #visits = new WeakMap<Location, Visit>();
  /** Whether the document's first page is the server's HTML. */
  readonly isHydrated: boolean;
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

  /** The visit of a location; the first call for a new location loads its page and gives up the load before it. */
  at(location: Location, navigation: `${NavigationType}`): Visit {
    const visit = this.#visits.get(location) ?? this.#begin(location, navigation);
    this.#visits.set(location, visit);
    return visit;
  }

  #begin(location: Location, navigation: `${NavigationType}`): Visit {
    this.#current.abort();
    this.#current = new AbortController();
    const registered: RegisteredRoute | undefined = matchRoutes(this.#routes, location)?.[0]?.route.handle;
    const visit = { location, navigation, registered };
    if (!registered) return { ...visit, outcome: 'unknown path', arrival: never };
    const first = this.#takeFirst(registered);
    const outcome = first ?? this.remotes.of(registered).loaded(registered.route.path);
    const arrival = first ? Promise.resolve(first) : this.#load(registered, location);
    return { ...visit, ...(outcome && { outcome }), arrival };
  }

  #takeFirst({ route }: RegisteredRoute): Outcome | undefined {
    const first = this.#first;
    this.#first = undefined;
    return first?.registered.route.path === route.path ? first.outcome : undefined;
  }

  /** Also for a page that is loaded: the remote counts views, and learns of new releases. */
  #load(registered: RegisteredRoute, { pathname, search, hash }: Location): Promise<Outcome> {
    const { href } = new URL(pathname + search + hash, window.location.href);
    return this.remotes
      .of(registered)
      .load(registered.route.path, { url: href, signal: this.#current.signal })
      .catch((error: unknown) => ({ error }));
  }
}
