import { log } from '@daybook/platform/log';
import type { DataRouter, Location } from 'react-router-dom';

/**
 * Returns the key of a history entry. A document's first entry, and entries that the browser creates for anchors, have
 * none: their URL is used.
 */
export const entryOf = ({ key, pathname, search, hash }: Location) =>
  key === 'default' ? pathname + search + hash : key;

/** Key of the scroll positions in session storage; named in the Cookie Policy, section 3. */
export const positionsKey = 'scroll-positions';

/** By history entry: identifies the state of its page. */
const pageKeys = new Map<string, string>();

/** By history entry: finds the element that had the focus when its page was left. */
const places = new Map<string, () => HTMLElement | undefined>();

/** Returns the key of a page's state: queries and anchors share it, another visit of the same path does not. */
export const pageKeyOf = (location: Location) => pageKeys.get(entryOf(location)) ?? entryOf(location);

/** Returns the element that had the focus when an entry's page was left, if the page still has it. */
export const placeAt = (location: Location) => places.get(entryOf(location))?.();

/**
 * Follows each navigation when its page has loaded, before React renders it: logs path and query (docs/product.md,
 * Pages; the document's own are logged by its first script), and stores what belongs to the entries of the history.
 */
export function followHistory(router: DataRouter): void {
  dropForeignPositions();
  let shown = router.state.location;
  pageKeys.set(entryOf(shown), entryOf(shown));
  router.subscribe(({ location, historyAction }) => {
    const [before, entry] = [shown, entryOf(location)];
    shown = location;
    if (entry === entryOf(before)) return;
    const own = historyAction === 'POP' ? pageKeys.get(entry) : undefined;
    const inherited = location.pathname === before.pathname ? pageKeyOf(before) : undefined;
    // The browser's entries for anchors have no key: an earlier visit of the same path may have the same anchor.
    const isAmbiguous = location.key === 'default' && location.hash !== '';
    pageKeys.set(entry, (isAmbiguous ? (inherited ?? own) : (own ?? inherited)) ?? entry);
    places.set(entryOf(before), placeOf(document.querySelector<HTMLElement>(':focus')));
    log('log', location.pathname + location.search);
  });
  // React Router leaves scrolling to the browser when a document is left; this one came back from the browser's cache.
  addEventListener('pageshow', () => {
    history.scrollRestoration = 'manual';
  });
}

/** Recognizes an element of a page that was rendered again by its position among those of its name, and by its text. */
function placeOf(element: HTMLElement | null): () => HTMLElement | undefined {
  if (!element) return () => undefined;
  const { tagName, textContent } = element;
  const all = () => [...document.querySelectorAll<HTMLElement>(tagName)];
  const index = all().indexOf(element);
  return () => [all()[index]].find((found) => found?.textContent === textContent);
}

/** React Router stores positions in an object: stored values of any other form would make it throw. */
function dropForeignPositions(): void {
  try {
    if (!(JSON.parse(sessionStorage.getItem(positionsKey) ?? '{}') instanceof Object))
      sessionStorage.removeItem(positionsKey);
  } catch {
    // React Router handles text that is not JSON, and storage that is forbidden.
  }
}
