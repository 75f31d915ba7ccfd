import { findRoute, type Registry } from '@daybook/contract';
import { loadPage } from '../remotes/load-page.ts';

/**
 * Loads the page behind a link when the pointer or the focus comes to it, so that the click renders without a
 * request. A failure is no news here: the click tries again and tells.
 */
export function prefetchLinks(registry: Registry): void {
  const prefetch = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.origin !== location.origin) return;
    const registered = findRoute(registry, link.pathname);
    if (registered) loadPage(registered).catch(() => undefined);
  };
  document.addEventListener('pointerover', prefetch, { passive: true });
  document.addEventListener('focusin', prefetch, { passive: true });
}
