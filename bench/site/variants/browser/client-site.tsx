import '@daybook/ui/tokens.css';
import type { RegisteredRemote, Registry } from '@daybook/contract';
import { QueryClientProvider, queryClient } from '@daybook/platform';
import type { PageModule, RemoteDefinition } from '@daybook/platform/define-remote';
import { connectNavigation, LocationContext } from '@daybook/platform/host';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { FrameLayout } from '../../../../shell/src/frame/frame-layout.tsx';
import { followLinkClicks } from '../../../../shell/src/router/link-clicks.ts';
import {
  createBrowserRouter,
  RouterProvider,
  useLoaderData,
  useLocation,
} from '../../../../shell/src/router/react-router.ts';

function Page() {
  const { default: Content } = useLoaderData<PageModule>();
  const { pathname, search, hash, state } = useLocation();
  return (
    <LocationContext value={{ pathname, search, hash, state }}>
      <Content />
    </LocationContext>
  );
}

const registered = ({ name, routes }: RemoteDefinition): RegisteredRemote => ({ name, routes, version: '', entry: '' });

/**
 * The site as one application that renders in the browser: the same frame, pages, platform and design system, and
 * nothing of what makes releases independent. What the site is compared with starts here.
 */
export function startClientSite(remotes: readonly RemoteDefinition[]): void {
  const registry: Registry = { remotes: remotes.map(registered), missing: [] };
  const pages = remotes.flatMap(({ routes }) =>
    routes.map((route) => ({
      path: route.path,
      handle: { route },
      loader: route.page,
      element: <Page />,
      hydrateFallbackElement: <p>Loading the page</p>,
    })),
  );
  const router = createBrowserRouter([{ element: <FrameLayout />, children: pages }]);
  connectNavigation((to, options) => {
    router.navigate(to, options);
  });
  followLinkClicks(registry);
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root.');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
