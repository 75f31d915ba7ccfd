import type { RemoteIndex } from '@daybook/contract/release';
import { savesData } from '@daybook/platform/saves-data';
import type { SiteRemotes } from '../remotes/site-remotes.ts';
import { linkOf, routeBehind } from './links.ts';

/** Time in ms after which a visible link counts as read instead of scrolled past. */
const readingTime = 1_000;

/**
 * Prefetches the page behind a link, at once on hover or focus, and after a while if the link is visible in the content.
 * Nothing for a visitor who saves data.
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
    // Privacy extensions remove or replace the observers.
  }
}

/** Calls `onRead` with each link of the page's content that stays visible for a while. */
function watchLinksInView(onRead: (link: HTMLAnchorElement) => void): void {
  const timers = new Map<Element, number>();
  const inView = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      clearTimeout(timers.get(target));
      if (isIntersecting) timers.set(target, window.setTimeout(onRead, readingTime, target as HTMLAnchorElement));
    }
  });
  const { body } = document;
  const observeAll = () => {
    for (const link of body.querySelectorAll('main a[href]')) inView.observe(link);
  };
  // First: a replaced observer throws here, once, instead of at each change of the page.
  observeAll();
  new MutationObserver(observeAll).observe(body, { childList: true, subtree: true });
}
