import type { ReleaseRoute } from '@daybook/contract/release';
import type { ComponentType } from 'react';

/** The `route` that a file of `src/pages` exports, as a literal: the build reads it without running the page. */
export interface PageRouteDefinition extends Readonly<Omit<ReleaseRoute, 'files' | 'fragment' | 'hash'>> {
  readonly path: `/${string}`;
}

export interface PageModule {
  readonly default: ComponentType;
}
