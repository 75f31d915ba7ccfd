import type { ReleaseRoute } from '@daybook/contract/release';
import type { ComponentType } from 'react';

/**
 * The `route` that a file of `src/pages` exports, as a literal: the build reads it without running the page. Its
 * component is the default export, takes no properties, and gets everything it needs from `@daybook/platform`.
 */
export interface PageRouteDefinition extends Readonly<Omit<ReleaseRoute, 'files' | 'fragment' | 'hash'>> {
  readonly path: `/${string}`;
}

/** What the shell needs of a page. */
export interface PageModule {
  readonly default: ComponentType;
}
