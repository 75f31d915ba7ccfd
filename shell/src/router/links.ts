import { findRoute, type Registry } from '@daybook/contract/release';
import { navigate } from '@daybook/platform';
import { savesData } from '@daybook/platform/saves-data';
import type { SiteRemotes } from '../remotes/site-remotes.ts';

/** Time in ms after which a visible link counts as read instead of scrolled past. */
const readingTime = 1_000;

const linkOf = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null);

const routeBehind = (link: HTMLAnchorElement, registry: Registry) =>
  link.origin === location.origin ? findRoute(registry, link.pathname) : undefined;

/**
 * Returns whether the router handles the link. The browser handles new tabs, downloads, other sites, files, and anchors
 * within the page.
 */
function isPageLink(link: HTMLAnchorElement, registry: Registry): boolean {
  const staysOnPage = link.hash !== '' && link.pathname === location.pathname && link.search === location.search;
  const ownTab = link.target === '' || link.target === '_self';
  return ownTab && !link.hasAttribute('download') && !staysOnPage && routeBehind(link, registry) !== undefined;
}

/**
 * Turns clicks on plain links to pages of this site into navigation without a page load. So remotes write `<a href>`,
 * in Markdown too, and a link works the same before the script has loaded.
 */
export function followLinkClicks(registry: Registry): void {
  document.addEventListener('click', (event) => {
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    const link = linkOf(event);
    if (event.defaultPrevented || event.button !== 0 || modified || !link || !isPageLink(link, registry)) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}

/**
 * Prefetches the page behind a link, so that the click renders without a request: at once on hover or focus, after a
 * delay if the link is visible. Header and footer are visible on every page and rarely used, so their links wait for
 * hover or focus. Ignores failures: the click retries and reports them. Prefetches nothing for a visitor who saves
 * data.
 */
export function prefetchLinks(registry: Registry, remotes: SiteRemotes): void {
  const prefetch = (link: HTMLAnchorElement) => {
    const registered = routeBehind(link, registry);
    if (registered && link.pathname !== location.pathname && !savesData())
      void remotes.of(registered).prefetch(registered.route.path);
  };
  const prefetchTarget = (event: Event) => {
    const link = linkOf(event);
    if (link) prefetch(link);
  };
  document.addEventListener('pointerover', prefetchTarget, { passive: true });
  document.addEventListener('focusin', prefetchTarget, { passive: true });
  watchLinksInView(prefetch);
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
  new MutationObserver(observeAll).observe(body, { childList: true, subtree: true });
  observeAll();
}
