import type { Frame } from '@daybook/contract';
import type { ComponentType } from 'react';

/** A page module: the page's component is its default export. It takes no properties; what it needs comes from `@daybook/platform`. */
export interface PageModule {
  readonly default: ComponentType;
}

/** A route as its remote declares it; everything but `page` goes into the release for the shell server to read. */
export interface RouteDefinition {
  readonly path: `/${string}`;
  readonly title: string;
  readonly description: string;
  readonly frame: Frame;
  readonly noIndex?: boolean;
  readonly page: () => Promise<PageModule>;
}

/** One team's bundle of routes. */
export interface RemoteDefinition {
  readonly name: string;
  readonly routes: readonly RouteDefinition[];
}

/**
 * Declares a remote; the default export of its `src/remote.ts`, which the shell loads at run time and the
 * release packer reads at build time. So that file may import nothing that needs a browser: pages are
 * imported lazily, in `page`.
 */
export function defineRemote(definition: RemoteDefinition): RemoteDefinition {
  return definition;
}
