import '@daybook/ui/tokens.css';
import { type PageData, pageDataElementId, pageElementId, preloadsId } from '@daybook/contract/page';
import { defaultSiteSettings } from '@daybook/contract/site';
import { provideSiteSettings } from '@daybook/platform/host';
import { whenShown } from '@daybook/platform/when';
import { showFirstPage } from './first-page/show-first-page.tsx';
import { prefetchLinks } from './navigation/prefetch-links.ts';
import { provideVerifiedElements } from './remotes/integrity.ts';
import { readRemoteIndex } from './remotes/known-releases.ts';
import { SiteRemotes } from './remotes/site-remotes.ts';
import { trustOwnScripts } from './trusted-types.ts';

trustOwnScripts();
provideVerifiedElements();

// Those that `inline/preload.ts` has not added yet; none once the page has been painted.
const preloads = document.getElementById(preloadsId);
if (preloads instanceof HTMLTemplateElement) document.head.append(preloads.content);

const { registry: index, settings } = readPageData();
provideSiteSettings(settings);
const remotes = new SiteRemotes(index);

const root = document.getElementById(pageElementId);
if (!root) throw new Error(`The page has no #${pageElementId}.`);
void showFirstPage(root, index, remotes);
whenShown(() => prefetchLinks(index, remotes));

/** Reads the shell server's data from this page, which another version of the server may have made. */
function readPageData(): PageData {
  const text = document.getElementById(pageDataElementId)?.textContent;
  const { registry, settings }: Partial<PageData> = JSON.parse(text || '{}');
  return { registry: readRemoteIndex(registry), settings: { ...defaultSiteSettings, ...settings } };
}
