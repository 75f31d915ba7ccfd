import { useEffect, useLayoutEffect, useRef } from 'react';
import { keepScrollPositions, scrollPositionOf } from './scroll-positions.ts';
import type { Shown } from './use-shown-page.ts';

/** Where on a page its location leads: to where it was left, to its anchor, or to the top. */
function scrollTo({ location, navigation }: Shown): void {
  const left = navigation === 'POP' ? scrollPositionOf(location) : undefined;
  const section = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
  if (left !== undefined) window.scrollTo(0, left);
  else if (section) section.scrollIntoView();
  else window.scrollTo(0, 0);
}

const isSameAddress = ({ location: one }: Shown, { location: other }: Shown) =>
  one.pathname === other.pathname && one.search === other.search && one.hash === other.hash;

/**
 * Scrolls as the browser does from document to document. A first page that came as HTML is left to the browser, which
 * has scrolled it; and an address that takes its own place, as on a retry, stays where it is.
 */
export function useScrolling(shown: Shown): void {
  const before = useRef(shown);
  useEffect(() => keepScrollPositions(() => before.current.location), []);
  useLayoutEffect(() => {
    const previous = before.current;
    before.current = shown;
    // Also where React shows one visit twice, as when a page arrives while the next one is shown already.
    if (previous.location === shown.location && previous.content.kind === shown.content.kind) return;
    if (shown.navigation === 'REPLACE' && isSameAddress(previous, shown)) return;
    scrollTo(shown);
  }, [shown]);
}
