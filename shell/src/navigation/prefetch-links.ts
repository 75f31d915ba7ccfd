import type { RemoteIndex } from '@daybook/contract/release';
import { savesData } from '@daybook/platform/saves-data';
import type { SiteRemotes } from '../remotes/site-remotes.ts';
import { linkOf, routeBehind } from './links.ts';

/** Time in ms after which a visible link counts as read instead of scrolled past. */
const readingTime = 1_000;

/**
 * Prefetches the page behind a link, so that the click renders without a request: at once on hover or focus, after a
 * delay if the link is visible. Header and footer are visible on every page and rarely used, so their links wait for
 * hover or focus. Ignores failures: the click retries and reports them. Prefetches nothing for a visitor who saves
 * data.
 */
export function prefetchLinks(index: RemoteIndex, remotes: SiteRemotes): void {
  const prefetch = (link: HTMLAnchorElement) => {
    const registered = routeBehind(link, index);
    if (registered && link.pathname !== location.pathname && !savesData())
      void remotes.of(registered).prefetch(registered.route.path);
  };
  const prefetchTarget = (event: Event) => {
    const link = linkOf(event);
    if (link) prefetch(link);
  };
  document.addEventListener('pointerover', prefetchTarget, { passive: true });
  document.addEventListener('focusin', prefetchTarget, { passive: true });
  try {
    watchLinksInView(prefetch);
  } catch {
    // Privacy extensions remove or replace the observers: pages are prefetched on hover and focus only.
  }
}

/** Calls `onRead` with each link of the page's content that stays visible for a while, including links added later. */
function watchLinksInView(onRead: (link: HTMLAnchorElement) => void): void {
  const timers = new Map<Element, number>();
  const inView = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      clearTimeout(timers.get(target));
      if (isIntersecting) timers.set(target, window.setTimeout(onRead, readingTime, target as HTMLAnchorElement));
    }
  });
  // Observing an observed element has no effect, and the browser releases removed ones.
  const { body } = document;
  const observeAll = () => {
    for (const link of body.querySelectorAll('main a[href]')) inView.observe(link);
  };
  // First: a replaced observer throws here, once, instead of at each change of the page.
  observeAll();
  new MutationObserver(observeAll).observe(body, { childList: true, subtree: true });
}
