/**
 * Calls back once a visitor sees the page: at once, unless the browser prerenders it.
 *
 * @returns cancels the call
 */
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

/** Calls back when the browser is idle; without such a callback, as in Safari, in a later task. */
export function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act);
  else setTimeout(act);
}
