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

/** Takes over from the browser, which would scroll before the page of a location is there; gives back on leaving. */
export function keepScrollPositions(currentKey: () => string): void {
  for (const [key, position] of readStored()) positions.set(key, position);
  history.scrollRestoration = 'manual';
  addEventListener('pagehide', () => {
    rememberScrollPosition(currentKey());
    history.scrollRestoration = 'auto';
    try {
      sessionStorage.setItem(storageKey, JSON.stringify([...positions]));
    } catch {
      // Where storage is forbidden, Back leads to the top of pages of an earlier document.
    }
  });
  addEventListener('pageshow', () => {
    history.scrollRestoration = 'manual';
  });
}

/** @param key that of the location in the browser's history */
export function rememberScrollPosition(key: string): void {
  positions.set(key, scrollY);
}

/** How far a location was scrolled when it was left, in CSS pixels; `undefined` where it was not. */
export const scrollPositionOf = (key: string): number | undefined => positions.get(key);
