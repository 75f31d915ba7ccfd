import type { PageRouteDefinition } from '@daybook/platform/page';
import * as text from '../../content/terms.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export const route = {
  path: '/terms',
  title: 'Terms of Service',
  description:
    'The terms on which Daybook offers its free daily finance newsletter, this website and the sponsored offers on it.',
  frame: 'site',
  hydrate: 'on-interaction',
} satisfies PageRouteDefinition;

export default legalPage(route.title, text);
