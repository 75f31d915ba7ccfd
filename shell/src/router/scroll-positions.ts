import type { Location } from './react-router.ts';

/** Named in the Cookie Policy, section 3. */
const storageKey = 'scroll-positions';

function readStored(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as [string, number][];
  } catch {
    return [];
  }
}

const positions = new Map<string, number>();

/**
 * What a position is remembered by: the entry of the browser's history. A document's first entry, and those that the
 * browser itself makes for anchors within a page, have no key of their own.
 */
const entryOf = (location: Location) => (location.key === 'default' ? addressOf(location) : location.key);
const addressOf = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  pathname + search + hash;

/** Where storage is forbidden, Back leads to the top of pages of an earlier document. */
function store(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...positions]));
  } catch {}
}

/**
 * Remembers how far each location is scrolled, as it is: when the visitor has gone on it is too late, since the browser
 * goes to an anchor before it tells. Takes the way back from the browser, which would scroll before a page is there, and
 * gives it back where the document is left.
 *
 * @param current the location that is shown
 * @returns ends it
 */
export function keepScrollPositions(current: () => Location): () => void {
  for (const [entry, position] of readStored()) positions.set(entry, position);
  const remember = () => {
    const shown = current();
    // While the next page is on its way, the address is ahead of what is shown.
    if (addressOf(shown) === addressOf(window.location)) positions.set(entryOf(shown), scrollY);
  };
  const giveBack = () => {
    history.scrollRestoration = 'auto';
    store();
  };
  const take = () => {
    history.scrollRestoration = 'manual';
  };
  take();
  addEventListener('scroll', remember, { passive: true });
  addEventListener('pagehide', giveBack);
  addEventListener('pageshow', take);
  return () => {
    removeEventListener('scroll', remember);
    removeEventListener('pagehide', giveBack);
    removeEventListener('pageshow', take);
  };
}

/** How far a location was scrolled when it was left, in CSS pixels; `undefined` where it was not. */
export const scrollPositionOf = (location: Location): number | undefined => positions.get(entryOf(location));
