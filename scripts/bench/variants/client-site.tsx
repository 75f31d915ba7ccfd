import '@daybook/ui/tokens.css';
import type { PageModule, PageRouteDefinition } from '@daybook/platform/page';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followLinkClicks } from '../../../shell/src/navigation/links.ts';
import type { RemoteOnPage } from '../../../shell/src/remotes/site-remotes.ts';
import { App } from '../../../shell/src/router/site.tsx';
import { createSiteRouter } from '../../../shell/src/router/site-router.tsx';

/** A remote whose pages are bundled into the application. */
interface ClientRemote {
  readonly name: string;
  readonly routes: readonly PageRouteDefinition[];
  readonly pages: Readonly<Record<string, () => Promise<PageModule>>>;
}

function pagesOf(remotes: readonly ClientRemote[]) {
  const pages = Object.assign({}, ...remotes.map((remote) => remote.pages)) as ClientRemote['pages'];
  return {
    load: async (path) => {
      const page = await pages[path]?.();
      if (!page) throw new Error(`There is no page for ${path}.`);
      return { page, version: '' };
    },
    version: '',
  } satisfies Partial<RemoteOnPage>;
}

/** Starts the site as one client-rendered application with the same frame, router and pages. */
export function startClientSite(remotes: readonly ClientRemote[]): void {
  const index = { remotes: remotes.map(({ name, routes }) => ({ name, routes, version: '', entry: '' })), missing: [] };
  const root = document.getElementById('daybook-page');
  if (!root) throw new Error('The page has no #daybook-page.');
  // Without the members for pages that failed.
  const pages = pagesOf(remotes) as Partial<RemoteOnPage> as RemoteOnPage;
  const router = createSiteRouter({ index, remotes: { of: () => pages }, onReady: () => followLinkClicks(index) });
  createRoot(root).render(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  );
}
