import { findRoute, type Registry } from '@daybook/contract';
import { savesData } from '@daybook/platform/saves-data';
import type { SiteRemotes } from '../remotes/site-remotes.ts';

/** A link that has been in view for this many ms is being read, not scrolled past. */
const reading = 1_000;

/**
 * Loads the page behind a link before the click, so that the click renders without a request: at once when the pointer
 * or the focus comes to it, after a while when it is in view. Header and footer are in view on every page and followed
 * from few of them, so theirs wait for pointer or focus. A failure is no news here: the click tries again and tells.
 * A visitor who saves data gets nothing that was not asked for.
 */
export function prefetchLinks(registry: Registry, remotes: SiteRemotes): void {
  const prefetch = (link: HTMLAnchorElement) => {
    const registered = link.origin === location.origin ? findRoute(registry, link.pathname) : undefined;
    if (registered && link.pathname !== location.pathname && !savesData()) remotes.prefetch(registered);
  };
  const prefetchTarget = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (link) prefetch(link);
  };
  document.addEventListener('pointerover', prefetchTarget, { passive: true });
  document.addEventListener('focusin', prefetchTarget, { passive: true });
  watchLinksInView(prefetch);
}

/** Calls `onRead` with each link of the page's content that stays in view for a while, whenever it came on the page. */
function watchLinksInView(onRead: (link: HTMLAnchorElement) => void): void {
  const timers = new Map<Element, number>();
  const inView = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      clearTimeout(timers.get(target));
      timers.delete(target);
      if (isIntersecting)
        timers.set(
          target,
          window.setTimeout(() => onRead(target as HTMLAnchorElement), reading),
        );
    }
  });
  // Observing what is observed already changes nothing, and what has left the page is let go by the browser.
  const { body } = document;
  const observeAll = () => {
    for (const link of body.querySelectorAll('main a[href]')) inView.observe(link);
  };
  new MutationObserver(observeAll).observe(body, { childList: true, subtree: true });
  observeAll();
}
