import { log } from '@daybook/platform/log';
import type { DataRouter, Location } from 'react-router-dom';

/** Key of the scroll positions in session storage; named in the Cookie Policy, section 3. */
export const positionsKey = 'scroll-positions';

interface Entry {
  /** Key of the page's state: its anchors share it, another visit of the same path does not. */
  readonly page: string;
  /** Finds the element that had the focus when the page was left. */
  place?: () => HTMLElement | undefined;
}

/** By `history.state.key`. */
const entries = new Map<string, Entry>();

/** Returns the key of the state of an entry's page. */
export const pageKeyOf = ({ key }: Location) => entries.get(key)?.page ?? key;

/** Returns the element that had the focus when an entry's page was left, if the page still has it. */
export const placeAt = ({ key }: Location) => entries.get(key)?.place?.();

/** Gives entries a key that the browser made: a document's first one and those of anchors. Call it before the router. */
export function nameEntries(): void {
  // Chromium keeps the state of an entry whose address is opened again; only Back, Forward and a reload return to it.
  if (!isReturn()) replaceState(null);
  nameEntry();
  addEventListener('popstate', nameEntry);
}

function isReturn(): boolean {
  try {
    const [navigation] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
    return navigation.type !== 'navigate';
  } catch {
    // Extensions replace the timeline.
    return false;
  }
}

function nameEntry(): void {
  if (typeof history.state?.key !== 'string')
    replaceState({ ...history.state, key: Math.random().toString(36).slice(2) });
}

/** Browsers limit such changes. */
function replaceState(state: unknown): void {
  try {
    history.replaceState(state, '');
  } catch {}
}

/** Follows each navigation before React renders it: logs path and query (docs/product.md, Pages), and notes the entries. */
export function followHistory(router: DataRouter): void {
  dropForeignPositions();
  let shown = router.state.location;
  router.subscribe(({ location, historyAction, preventScrollReset }) => {
    const before = shown;
    shown = location;
    if (location.key === before.key) return;
    const isSameVisit =
      location.pathname === before.pathname && (historyAction === 'POP' || location.hash !== '' || preventScrollReset);
    const page = entries.get(location.key)?.page ?? (isSameVisit ? pageKeyOf(before) : location.key);
    entries.set(before.key, { page: pageKeyOf(before), place: placeOf(document.querySelector<HTMLElement>(':focus')) });
    entries.set(location.key, { ...entries.get(location.key), page });
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
  const all = () => [...document.querySelectorAll<HTMLElement>(`${tagName}:not(dialog *)`)];
  const index = all().indexOf(element);
  return () => [all()[index]].find((found) => found?.textContent === textContent);
}

/** React Router throws for a stored value that is no object. */
function dropForeignPositions(): void {
  try {
    if (!(JSON.parse(sessionStorage.getItem(positionsKey) ?? '{}') instanceof Object))
      sessionStorage.removeItem(positionsKey);
  } catch {}
}
