const sessionStorageKey = 'answeredOffersOf';

/**
 * Notes for this browser session that the visitor picked offers or said no thanks, so that the thank-you
 * page does not ask again. Where storage is forbidden it may ask again, which does no harm.
 */
export function rememberOffersAnswered(id: number): void {
  try {
    sessionStorage.setItem(sessionStorageKey, String(id));
  } catch (error) {
    console.warn('That the offers were answered could not be kept in browser storage:', error);
  }
}

/** Whether the offers of this registration were answered in this browser session. */
export function wereOffersAnswered(id: number): boolean {
  try {
    return sessionStorage.getItem(sessionStorageKey) === String(id);
  } catch {
    return false;
  }
}
