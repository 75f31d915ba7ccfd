import './trusted-types.ts';
import '@daybook/ui/tokens.css';
import { connectNavigation, provideSiteSettings } from '@daybook/platform/host';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readPageData } from './page-data.ts';
import { provideIntegrity } from './remotes/integrity.ts';
import { SiteRemotes } from './remotes/site-remotes.ts';
import { followLinkClicks } from './router/link-clicks.ts';
import { prefetchLinks } from './router/link-prefetch.ts';
import { createSiteRouter } from './router/site-router.tsx';

const { registry, settings } = readPageData();
provideIntegrity();
const remotes = new SiteRemotes(registry);
const router = createSiteRouter(registry, remotes);

provideSiteSettings(settings);
connectNavigation((to, options) => {
  router.navigate(to, options);
});
followLinkClicks(registry);
prefetchLinks(registry, remotes);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <App router={router} />
  </StrictMode>,
);
