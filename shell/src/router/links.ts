import { findRoute, type Registry } from '@daybook/contract';
import { navigate } from '@daybook/platform';
import { savesData } from '@daybook/platform/saves-data';
import type { SiteRemotes } from '../remotes/site-remotes.ts';

/** A link that has been in view for this many ms is being read, not scrolled past. */
const readingTime = 1_000;

const linkOf = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null);

const routeBehind = (link: HTMLAnchorElement, registry: Registry) =>
  link.origin === location.origin ? findRoute(registry, link.pathname) : undefined;

/** Leaves to the browser what it does best: new tabs, downloads, other sites, files, and anchors within the page. */
function isPageLink(link: HTMLAnchorElement, registry: Registry): boolean {
  const staysOnPage = link.hash !== '' && link.pathname === location.pathname && link.search === location.search;
  const ownTab = link.target === '' || link.target === '_self';
  return ownTab && !link.hasAttribute('download') && !staysOnPage && routeBehind(link, registry) !== undefined;
}

/**
 * Turns clicks on plain links to pages of this site into navigation without a page load. So remotes write
 * `<a href>`, in Markdown too, and a link works the same before the script has loaded.
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
 * Loads the page behind a link before the click, so that the click renders without a request: at once when the pointer
 * or the focus comes to it, after a while when it is in view. Header and footer are in view on every page and followed
 * from few of them, so theirs wait for pointer or focus. A failure is no news here: the click tries again and tells.
 * A visitor who saves data gets nothing that was not asked for.
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

/** Calls `onRead` with each link of the page's content that stays in view for a while, whenever it came on the page. */
function watchLinksInView(onRead: (link: HTMLAnchorElement) => void): void {
  const timers = new Map<Element, number>();
  const inView = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      clearTimeout(timers.get(target));
      if (isIntersecting) timers.set(target, window.setTimeout(onRead, readingTime, target as HTMLAnchorElement));
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
