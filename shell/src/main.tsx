import './trusted-types.ts';
import '@daybook/ui/tokens.css';
import { type PageData, pageDataElementId, preloadsId } from '@daybook/contract/page';
import { provideSiteSettings } from '@daybook/platform/host';
import { showFirstPage } from './first-page/show-first-page.tsx';
import { provideIntegrity } from './remotes/integrity.ts';
import { prefetchLinks } from './remotes/prefetch-links.ts';
import { SiteRemotes } from './remotes/site-remotes.ts';

// Empty if the page has been painted.
const preloads = document.getElementById(preloadsId);
if (preloads instanceof HTMLTemplateElement) document.head.append(preloads.content);

const { registry, settings } = readPageData();
provideIntegrity();
provideSiteSettings(settings);
const remotes = new SiteRemotes(registry);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
void showFirstPage(root, registry, remotes);
prefetchLinks(registry, remotes);

/** Reads the shell server's data from this page. */
function readPageData(): PageData {
  const text = document.getElementById(pageDataElementId)?.textContent;
  if (!text) throw new Error(`The page has no #${pageDataElementId}: it was not made by the shell server.`);
  return JSON.parse(text) as PageData;
}
