import type { ReleaseRoute } from '@daybook/contract/release';
import type { ComponentType } from 'react';

/**
 * A page module: its default export is the page's component, which takes no properties and gets everything it needs
 * from `@daybook/platform`.
 */
export interface PageModule {
  readonly default: ComponentType;
}

/** A route as its remote declares it; everything but `page` is written into the release for the shell server. */
export interface RouteDefinition extends Readonly<Omit<ReleaseRoute, 'files' | 'fragment'>> {
  readonly path: `/${string}`;
  /** The page's module, from `src`. */
  readonly page: `./pages/${string}.tsx`;
}

/** One team's bundle of routes. */
export interface RemoteDefinition {
  readonly routes: readonly RouteDefinition[];
  /** Paths of former pages, each with the page of the site that visitors get instead: `{ '/old': '/new' }`. */
  readonly redirects?: Readonly<Record<`/${string}`, `/${string}`>>;
}

/** Declares a remote, as the default export of its `src/remote.ts`: data for its build, which imports it in Node. */
export function defineRemote(definition: RemoteDefinition): RemoteDefinition {
  return definition;
}
