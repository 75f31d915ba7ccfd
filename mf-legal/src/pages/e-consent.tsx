import type { PageRouteDefinition } from '@daybook/platform/page';
import * as text from '../../content/e-consent.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export const route = {
  path: '/e-consent',
  title: 'Electronic Communications Consent',
  description:
    'What you agree to receive by email when you subscribe to Daybook, what you need for it, and how to withdraw your consent.',
  frame: 'site',
  hydrate: 'on-interaction',
} satisfies PageRouteDefinition;

export default legalPage(route.title, text);
