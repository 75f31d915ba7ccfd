/** Returns whether React failed because a translator or an extension had moved or removed the page's elements. */
export const isForeignChange = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError';

/** Reloads the document once for each history entry: an extension that breaks each document must not cause a loop. */
export function reloadOnce(): void {
  try {
    if (history.state?.reloaded === true) return;
    history.replaceState({ ...history.state, reloaded: true }, '');
    location.reload();
  } catch {
    // Browsers limit changes of the history.
  }
}
