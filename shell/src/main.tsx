import './trusted-types.ts';
import '@daybook/ui/tokens.css';
import { provideSiteSettings } from '@daybook/platform/host';
import { showFirstPage } from './first-page/show-first-page.tsx';
import { readPageData } from './page-data.ts';
import { provideIntegrity } from './remotes/integrity.ts';
import { SiteRemotes } from './remotes/site-remotes.ts';
import { prefetchLinks } from './router/links.ts';

const { registry, settings } = readPageData();
provideIntegrity();
provideSiteSettings(settings);
const remotes = new SiteRemotes(registry);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
void showFirstPage(root, registry, remotes);
prefetchLinks(registry, remotes);
