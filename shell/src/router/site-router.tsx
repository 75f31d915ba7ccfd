import type { RegisteredRoute, Registry } from '@daybook/contract';
import { developmentRoutes } from '../development/development-routes.tsx';
import { FrameLayout } from '../frame/frame-layout.tsx';
import { PageFailure } from '../pages/page-failure.tsx';
import { PageLoading } from '../pages/page-loading.tsx';
import { RemotePage } from '../pages/remote-page.tsx';
import { SiteFailure } from '../pages/site-failure.tsx';
import type { LoadedPage } from '../remotes/remote-on-page.ts';
import type { SiteRemotes } from '../remotes/site-remotes.ts';
import { createBrowserRouter } from './react-router.ts';
import { unknownPath } from './unknown-path.tsx';

export type SiteRouter = ReturnType<typeof createBrowserRouter>;

/** What the first page of a visit has before the router asks for it. */
export type FirstPage = { readonly path: string } & ({ readonly loaded: LoadedPage } | { readonly error: unknown });

/** By the ids of routes, which are their paths. */
const hydrationData = (first: FirstPage) =>
  'loaded' in first ? { loaderData: { [first.path]: first.loaded } } : { errors: { [first.path]: first.error } };

/**
 * Makes the router from the registry: a remote's new route needs no change here.
 *
 * @param first what the page of the current address is rendered with from the start; without it the router loads it
 */
export function createSiteRouter(registry: Registry, remotes: SiteRemotes, first?: FirstPage): SiteRouter {
  const registered = registry.remotes.flatMap((remote) =>
    remote.routes.map((route): RegisteredRoute => ({ remote, route })),
  );
  const routes = [
    {
      element: <FrameLayout />,
      errorElement: <SiteFailure />,
      children: [
        ...registered.map((each) => ({
          id: each.route.path,
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
        unknownPath(registry.missing),
      ],
    },
  ];
  return createBrowserRouter(routes, first && { hydrationData: hydrationData(first) });
}
