import type { PageRoute } from './release/release.ts';

/** A page of the shell itself that only `npm run dev` serves: the design system, every component in every state. */
export const componentsRoute: PageRoute = {
  path: '/_components',
  title: 'Components',
  description: 'Every component of the design system in every state.',
  // Headers and footer are among the components.
  frame: 'bare',
  noIndex: true,
};
