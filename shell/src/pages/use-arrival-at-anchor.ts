import { useEffect } from 'react';

let arrived = false;

/**
 * Shows the section that the address of a visit's first page names. The browser and the router have looked for
 * it before the page was loaded; on every later page the router finds it.
 */
export function useArrivalAtAnchor(hash: string): void {
  useEffect(() => {
    if (!arrived && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
    arrived = true;
  }, [hash]);
}
