import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Location } from 'react-router-dom';
import type { Visit } from './visits.ts';

/** Named in the Cookie Policy, section 3. */
const storageKey = 'scroll-positions';

/** In CSS pixels, by entry of the browser's history. */
const positions = new Map<string, number>();

const addressOf = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  pathname + search + hash;

/** A document's first entry, and those that the browser makes for anchors within a page, have no key of their own. */
const entryOf = (location: Location) => (location.key === 'default' ? addressOf(location) : location.key);

/**
 * Scrolls as the browser does from document to document (React Router's own way needs its data routers). A first page
 * that came as HTML is left to the browser, which has scrolled it; and an address that takes its own place, as on a
 * retry, stays where it is.
 */
export function useScrolling(shown: Visit): void {
  const before = useRef(shown);
  useEffect(() => rememberPositions(() => before.current.location), []);
  useLayoutEffect(() => {
    const { location, outcome } = before.current;
    before.current = shown;
    if (location === shown.location && outcome !== 'loading') return;
    if (shown.navigation === 'REPLACE' && addressOf(location) === addressOf(shown.location)) return;
    scrollToPlace(shown);
  }, [shown]);
}

/** To where the page was left, to its anchor, or to the top. */
function scrollToPlace({ location, navigation }: Visit): void {
  const left = navigation === 'POP' ? positions.get(entryOf(location)) : undefined;
  const section = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
  if (left !== undefined) window.scrollTo(0, left);
  else if (section) section.scrollIntoView();
  else window.scrollTo(0, 0);
}

/**
 * Remembers positions while they change: when the visitor has gone on it is too late, since the browser goes to an
 * anchor before it tells. Takes restoring from the browser, which would scroll before a page is there, and gives it
 * back where the document is left.
 *
 * @returns ends it
 */
function rememberPositions(current: () => Location): () => void {
  for (const [entry, position] of readStored()) positions.set(entry, position);
  const remember = () => {
    // While the next page is on its way, the address is ahead of what is shown.
    if (addressOf(current()) === addressOf(window.location)) positions.set(entryOf(current()), scrollY);
  };
  const leave = () => {
    history.scrollRestoration = 'auto';
    try {
      sessionStorage.setItem(storageKey, JSON.stringify([...positions]));
    } catch {
      // Where storage is forbidden, Back leads to the top of pages of an earlier document.
    }
  };
  const enter = () => {
    history.scrollRestoration = 'manual';
  };
  enter();
  addEventListener('scroll', remember, { passive: true });
  addEventListener('pagehide', leave);
  addEventListener('pageshow', enter);
  return () => {
    removeEventListener('scroll', remember);
    removeEventListener('pagehide', leave);
    removeEventListener('pageshow', enter);
  };
}

function readStored(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
  } catch {
    return [];
  }
}
