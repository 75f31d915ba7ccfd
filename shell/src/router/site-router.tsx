import type { RegisteredRoute, Registry } from '@daybook/contract';
import { developmentRoutes } from '../development/development-routes.tsx';
import { FrameLayout } from '../frame/frame-layout.tsx';
import { NotFoundPage } from '../pages/not-found-page.tsx';
import { PageFailure } from '../pages/page-failure.tsx';
import { PageLoading } from '../pages/page-loading.tsx';
import { RemotePage } from '../pages/remote-page.tsx';
import { SiteFailure } from '../pages/site-failure.tsx';
import { loadPage } from '../remotes/load-page.ts';
import { createBrowserRouter } from './react-router.ts';

export type SiteRouter = ReturnType<typeof createBrowserRouter>;

/** Makes the router from the registry: a remote's new route needs no change here. */
export function createSiteRouter(registry: Registry): SiteRouter {
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
          loader: () => loadPage(each),
          element: <RemotePage registered={each} />,
          errorElement: <PageFailure registered={each} />,
          hydrateFallbackElement: <PageLoading />,
        })),
        ...developmentRoutes,
        { path: '*', element: <NotFoundPage /> },
      ],
    },
  ]);
}
