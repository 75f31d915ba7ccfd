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
  readonly page: () => Promise<PageModule>;
}

/** One team's bundle of routes. */
export interface RemoteDefinition {
  readonly name: string;
  readonly routes: readonly RouteDefinition[];
  /** Paths of former pages, each with the page of the site that visitors get instead: `{ '/old': '/new' }`. */
  readonly redirects?: Readonly<Record<`/${string}`, `/${string}`>>;
}

/**
 * Declares a remote; the default export of its `src/remote.ts`, which the shell loads at run time and the release
 * packer reads at build time. So that file must not import anything that needs a browser: pages are imported lazily, in
 * `page`.
 */
export function defineRemote(definition: RemoteDefinition): RemoteDefinition {
  return definition;
}
