/** Returns whether React failed because a translator or an extension had moved or removed the page's elements. */
export const isForeignChange = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError';

/**
 * Reloads the document once: React cannot render into what an extension has moved, but it can render a new document. The
 * mark in the history entry outlives the document, so that an extension that breaks each document causes no loop.
 *
 * @returns `false` if this entry was reloaded before, or if the browser forbids the mark
 */
export function reloadOnce(): boolean {
  try {
    if (history.state?.reloaded === true) return false;
    history.replaceState({ ...history.state, reloaded: true }, '');
  } catch {
    return false;
  }
  location.reload();
  return true;
}
