import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Location } from 'react-router-dom';
import { addressOf, entryOf, type Visit } from './visits.ts';

/** Named in the Cookie Policy, section 3. */
const storageKey = 'scroll-positions';

/** In CSS pixels, by entry of the browser's history. */
const positions = new Map<string, number>();

/**
 * Restores scroll positions like the browser does between documents (React Router's own solution requires its data
 * routers). Leaves a first page that came as HTML to the browser, which has scrolled it, and does not move for an
 * address that replaces itself, as on a retry.
 */
export function useScrolling(shown: Visit): void {
  const before = useRef(shown);
  useEffect(() => rememberPositions(() => before.current.location), []);
  useLayoutEffect(() => {
    const { location, result } = before.current;
    before.current = shown;
    if (location === shown.location && result !== 'loading') return;
    if (shown.navigation === 'REPLACE' && addressOf(location) === addressOf(shown.location)) return;
    scrollToPlace(shown);
  }, [shown]);
}

/** Scrolls to the stored position, to the anchor, or to the top. */
function scrollToPlace({ location, navigation }: Visit): void {
  const left = navigation === 'POP' ? positions.get(entryOf(location)) : undefined;
  const section = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
  if (left !== undefined) window.scrollTo(0, left);
  else if (section) section.scrollIntoView();
  else window.scrollTo(0, 0);
}

/**
 * Stores positions while they change: after a navigation is too late, because the browser scrolls to an anchor before
 * it notifies. Disables the browser's restoration, which would scroll before a page is loaded, and enables it again
 * when the document is left.
 *
 * @returns a function that stops it
 */
function rememberPositions(current: () => Location): () => void {
  for (const [entry, position] of readStored()) positions.set(entry, position);
  const remember = () => {
    // While the next page loads, the address is ahead of the shown page.
    if (addressOf(current()) === addressOf(window.location)) positions.set(entryOf(current()), scrollY);
  };
  const leave = () => {
    history.scrollRestoration = 'auto';
    try {
      sessionStorage.setItem(storageKey, JSON.stringify([...positions]));
    } catch {
      // With storage forbidden, Back opens pages of an earlier document at the top.
    }
  };
  const enter = () => {
    history.scrollRestoration = 'manual';
  };
  enter();
  // Of a text page, which was scrolled before its scripts were loaded.
  if (scrollY > 0) remember();
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
