import type { PageRoute, RegisteredRoute } from '@daybook/contract';
import type { ReactElement } from 'react';
import { MissingRemotesPage, missingRemotesRoute } from '../pages/missing-remotes-page.tsx';
import { NotFoundPage } from '../pages/not-found-page.tsx';
import type { LoadedPage } from '../remotes/remote-on-page.ts';

/** A page that the shell draws itself. */
export interface OwnContent {
  readonly kind: 'own';
  /** What the frame has to know; nothing of an unknown path. */
  readonly route: PageRoute | undefined;
  readonly element: ReactElement;
}

/** What there is at a location of the site: the page of a remote, on its way or failed to load, or one of the shell's own. */
export type Content =
  | OwnContent
  | { readonly kind: 'loading'; readonly registered: RegisteredRoute }
  | { readonly kind: 'page'; readonly registered: RegisteredRoute; readonly loaded: LoadedPage }
  | { readonly kind: 'failed'; readonly registered: RegisteredRoute; readonly error: unknown };

/** The route of what is shown, for its title and frame. */
export const routeOf = (content: Content): PageRoute | undefined =>
  content.kind === 'own' ? content.route : content.registered.route;

/**
 * What there is at a path that no remote claims.
 *
 * @param missing remotes that have no release yet: the path may be one of theirs
 */
export const unknownPath = (missing: readonly string[]): OwnContent =>
  missing.length === 0
    ? { kind: 'own', route: undefined, element: <NotFoundPage /> }
    : { kind: 'own', route: missingRemotesRoute, element: <MissingRemotesPage missing={missing} /> };
