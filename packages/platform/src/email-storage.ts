import { log } from './log.ts';

/** Keys of docs/product.md (Signup). */
const localStorageKey = 'userEmail';
const sessionStorageKey = 'enteredEmail';

/**
 * Stores the email that signed up in this browser. Only warns if the visitor's settings forbid storage: the site
 * works without it.
 */
export function storeEmail(email: string): void {
  attempt(() => localStorage.setItem(localStorageKey, email));
  attempt(() => sessionStorage.setItem(sessionStorageKey, email));
}

function attempt(store: () => void): void {
  try {
    store();
  } catch (error) {
    log('warn', 'The e-mail address could not be stored in the browser:', error);
  }
}
