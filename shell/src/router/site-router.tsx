import type { RegisteredRoute, Registry } from '@daybook/contract';
import { developmentRoutes } from '../development/development-routes.tsx';
import { FrameLayout } from '../frame/frame-layout.tsx';
import { MissingRemotesPage, missingRemotesRoute } from '../pages/missing-remotes-page.tsx';
import { NotFoundPage } from '../pages/not-found-page.tsx';
import { PageFailure } from '../pages/page-failure.tsx';
import { PageLoading } from '../pages/page-loading.tsx';
import { RemotePage } from '../pages/remote-page.tsx';
import { SiteFailure } from '../pages/site-failure.tsx';
import type { SiteRemotes } from '../remotes/site-remotes.ts';
import { createBrowserRouter } from './react-router.ts';

export type SiteRouter = ReturnType<typeof createBrowserRouter>;

/** A path that no remote claims; one of a remote that has no release yet may be among them. */
const unknownPath = ({ missing }: Registry) =>
  missing.length === 0
    ? { path: '*', element: <NotFoundPage /> }
    : {
        path: '*',
        handle: { route: missingRemotesRoute },
        element: <MissingRemotesPage missing={missing} />,
      };

/** Makes the router from the registry: a remote's new route needs no change here. */
export function createSiteRouter(registry: Registry, remotes: SiteRemotes): SiteRouter {
  const registered = registry.remotes.flatMap((remote) =>
    remote.routes.map((route): RegisteredRoute => ({ remote, route })),
  );
  return createBrowserRouter([
    {
      element: <FrameLayout />,
      errorElement: <SiteFailure />,
      children: [
        ...registered.map((each) => ({
          path: each.route.path,
          // As the server does: it answers /TERMS with a 404.
          caseSensitive: true,
          handle: each,
          loader: ({ request }: { readonly request: Request }) => remotes.load(each, request),
          element: <RemotePage registered={each} />,
          errorElement: <PageFailure registered={each} remotes={remotes} />,
          hydrateFallbackElement: <PageLoading />,
        })),
        ...developmentRoutes,
        unknownPath(registry),
      ],
    },
  ]);
}
