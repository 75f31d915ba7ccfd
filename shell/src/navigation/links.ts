import { findRoute, type RemoteIndex } from '@daybook/contract/release';
import { navigate } from '@daybook/platform';

/** Returns the link that an event is about. */
export const linkOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;

/** Returns the page of this site behind a link. */
export const routeBehind = (link: HTMLAnchorElement, index: RemoteIndex) =>
  link.origin === location.origin ? findRoute(index, link.pathname) : undefined;

/** Returns whether the router handles the link: not new tabs, downloads, other sites, and files. */
function isPageLink(link: HTMLAnchorElement, index: RemoteIndex): boolean {
  const ownTab = link.target === '' || link.target === '_self';
  return ownTab && !link.hasAttribute('download') && routeBehind(link, index) !== undefined;
}

/** Turns clicks on plain links to pages of this site into navigation without a page load. */
export function followLinkClicks(index: RemoteIndex): void {
  document.addEventListener('click', (event) => {
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    const link = linkOf(event);
    if (event.defaultPrevented || event.button !== 0 || modified || !link || !isPageLink(link, index)) return;
    event.preventDefault();
    // Back returns the focus to the link; Safari does not focus a clicked one.
    link.focus({ preventScroll: true });
    // Like the browser, which adds no entry to its history for the URL that it shows.
    navigate(link.pathname + link.search + link.hash, { replace: link.href === location.href });
  });
}
