import type { PageRouteDefinition } from '@daybook/platform/page';
import * as text from '../../content/cookie-policy.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export const route = {
  path: '/cookie-policy',
  title: 'Cookie Policy',
  description:
    'Every cookie and storage entry that Daybook uses in your browser: its name, its purpose, how long it lasts and how to delete it.',
  frame: 'site',
  hydrate: 'on-interaction',
} satisfies PageRouteDefinition;

export default legalPage(route.title, text);
