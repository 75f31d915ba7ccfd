import { findRoute, type Registry } from '@daybook/contract';
import type { SiteRemotes } from '../remotes/site-remotes.ts';

/**
 * Loads the page behind a link when the pointer or the focus comes to it, so that the click renders without a
 * request. A failure is no news here: the click tries again and tells.
 */
export function prefetchLinks(registry: Registry, remotes: SiteRemotes): void {
  const prefetch = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.origin !== location.origin) return;
    const registered = findRoute(registry, link.pathname);
    if (registered) remotes.prefetch(registered);
  };
  document.addEventListener('pointerover', prefetch, { passive: true });
  document.addEventListener('focusin', prefetch, { passive: true });
}
