import { MissingRemotesPage, missingRemotesRoute } from '../pages/missing-remotes-page.tsx';
import { NotFoundPage } from '../pages/not-found-page.tsx';

/**
 * The route of a path that no remote claims.
 *
 * @param missing remotes that have no release yet: the path may be one of theirs
 */
export const unknownPath = (missing: readonly string[]) =>
  missing.length === 0
    ? { path: '*', element: <NotFoundPage /> }
    : {
        path: '*',
        handle: { route: missingRemotesRoute },
        element: <MissingRemotesPage missing={missing} />,
      };
