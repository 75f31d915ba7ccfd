import { type RegisteredRoute, type RemoteIndex, redirectOf } from '@daybook/contract/release';
import { connectNavigation } from '@daybook/platform/host';
import { createBrowserRouter, createPath, type DataRouter, type RouteObject } from 'react-router-dom';
import { followHistory, nameEntries } from '../navigation/history-entries.ts';
import {
  MissingRemotesPage,
  missingRemotesRoute,
  NotFoundPage,
  PageLoading,
  SiteFailure,
} from '../pages/own-pages.tsx';
import { PageFailure } from '../pages/page-failure.tsx';
import { inMain, RemotePage } from '../pages/remote-page.tsx';
import type { LoadedPage, SiteRemotes } from '../remotes/site-remotes.ts';
import { Site, type SiteProps } from './site.tsx';

/** The document's first page, as far as it was loaded before React started. */
export interface Start {
  readonly first?: { readonly path: string; readonly result: LoadedPage | { readonly error: unknown } };
  /** True if React hydrates the server's HTML. */
  readonly isHydrated?: boolean;
}

export interface SiteRouterOptions extends Start, SiteProps {
  readonly index: RemoteIndex;
  readonly remotes: Pick<SiteRemotes, 'of'>;
}

/** Creates the site's router, with a route for each page of the remote index. */
export function createSiteRouter({ index, remotes, first, isHydrated, onReady }: SiteRouterOptions): DataRouter {
  const pageRoute = (registered: RegisteredRoute): RouteObject => {
    const { remote, route } = registered;
    const running = remotes.of(registered);
    return {
      id: route.path,
      path: route.path,
      caseSensitive: true,
      handle: route,
      loader: async ({ request }) => (await running.load(route.path, request.signal)) ?? openDocument(router),
      element: <RemotePage name={remote.name} />,
      errorElement: inMain(route, <PageFailure registered={registered} running={running} />),
      hydrateFallbackElement: inMain(route, <PageLoading />),
    };
  };
  const { missing } = index;
  const unknownPath: RouteObject =
    missing.length > 0
      ? { path: '*', handle: missingRemotesRoute, element: <MissingRemotesPage missing={missing} /> }
      : { path: '*', element: <NotFoundPage /> };
  const routes = index.remotes.flatMap((remote) => remote.routes.map((route) => pageRoute({ remote, route })));
  nameEntries();
  const router = createBrowserRouter(
    [{ element: <Site onReady={onReady} />, errorElement: <SiteFailure />, children: [...routes, unknownPath] }],
    first || isHydrated ? { hydrationData: hydrationData(first) } : {},
  );
  connectNavigation((to, options) => void router.navigate(redirectOf(index, to) ?? to, options));
  followHistory(router);
  return router;
}

function hydrationData(first: Start['first']) {
  if (!first) return {};
  return 'error' in first.result
    ? { errors: { [first.path]: first.result.error } }
    : { loaderData: { [first.path]: first.result } };
}

/** Opens the URL of the current navigation as a new document: the server knows which remote serves it now. */
function openDocument(router: DataRouter): Promise<never> {
  const { state } = router;
  const url = createPath(state.navigation.location ?? state.location);
  // On Back and Forward the URL is that of the document already, and a part of it may be an anchor.
  if (url === createPath(location)) location.reload();
  else location.assign(url);
  return new Promise(() => undefined);
}
