/** Calls back once a visitor sees the page: at once, unless the browser prerenders it. Returns how to cancel that. */
export function whenShown(act: () => void): () => void {
  if (!isPrerendering()) {
    act();
    return () => undefined;
  }
  document.addEventListener('prerenderingchange', act, { once: true });
  return () => document.removeEventListener('prerenderingchange', act);
}

/** Returns whether the browser prepares the page without showing it. */
export const isPrerendering = () => (document as { readonly prerendering?: boolean }).prerendering === true;

/** Calls back when the browser is idle; in a later task in Safari, which has no such callback. */
export function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act);
  else setTimeout(act);
}
