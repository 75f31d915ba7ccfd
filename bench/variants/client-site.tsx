import '@daybook/ui/tokens.css';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { RemoteOnPage } from '../../shell/src/remotes/site-remotes.ts';
import { followLinkClicks } from '../../shell/src/router/links.ts';
import { App } from '../../shell/src/router/site.tsx';
import { createSiteRouter } from '../../shell/src/router/site-router.tsx';

/** Pages that are bundled into the application or loaded by the bundler's own federation. */
function pagesOf(remotes: readonly RemoteDefinition[]) {
  const routes = remotes.flatMap((remote) => remote.routes);
  return {
    load: async (path) => {
      const page = await routes.find((route) => route.path === path)?.page();
      if (!page) throw new Error(`There is no page for ${path}.`);
      return { page, version: '' };
    },
    version: '',
  } satisfies Partial<RemoteOnPage>;
}

/**
 * Starts the baseline: the site as one client-rendered application with the same frame, router, pages, platform and
 * design system, without independent releases.
 */
export function startClientSite(remotes: readonly RemoteDefinition[]): void {
  const registered = remotes.map(({ name, routes }) => ({
    name,
    routes,
    version: '',
    entry: '',
  }));
  const registry = { remotes: registered, missing: [] };
  const root = document.getElementById('daybook-page');
  if (!root) throw new Error('The page has no #daybook-page.');
  // Without the members for pages that failed.
  const pages = pagesOf(remotes) as Partial<RemoteOnPage> as RemoteOnPage;
  const router = createSiteRouter({
    registry,
    remotes: { of: () => pages },
    onReady: () => followLinkClicks(registry),
  });
  createRoot(root).render(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  );
}
