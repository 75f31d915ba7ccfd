import type { PageRouteDefinition } from '@daybook/platform/page';
import * as text from '../../content/privacy-policy.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export const route = {
  path: '/privacy-policy',
  title: 'Privacy Policy',
  description:
    'What Daybook knows about its readers, why, for how long, who receives it, and how to see, correct or delete it.',
  frame: 'site',
  hydrate: 'on-interaction',
} satisfies PageRouteDefinition;

export default legalPage(route.title, text);
