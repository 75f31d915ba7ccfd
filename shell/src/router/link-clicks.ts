import { findRoute, type Registry } from '@daybook/contract';
import { navigate } from '@daybook/platform';

function linkOf(event: Event): HTMLAnchorElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
}

/** Leaves to the browser what it does best: new tabs, downloads, other sites, files, and anchors within the page. */
function isPageLink(link: HTMLAnchorElement, registry: Registry): boolean {
  const staysOnPage = link.hash !== '' && link.pathname === location.pathname && link.search === location.search;
  return (
    link.origin === location.origin &&
    (link.target === '' || link.target === '_self') &&
    !link.hasAttribute('download') &&
    !staysOnPage &&
    findRoute(registry, link.pathname) !== undefined
  );
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
