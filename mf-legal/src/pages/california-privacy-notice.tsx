import type { PageRouteDefinition } from '@daybook/platform/page';
import * as text from '../../content/california-privacy-notice.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export const route = {
  path: '/california-privacy-notice',
  title: 'California Privacy Notice',
  description:
    'For residents of California: the personal information that Daybook collects, your rights under the CCPA and CPRA, and how to use them.',
  frame: 'site',
  hydrate: 'on-interaction',
} satisfies PageRouteDefinition;

export default legalPage(route.title, text);
