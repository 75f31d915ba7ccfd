import { log } from './log.ts';

// Constants, because a test compares the names in the code with the Cookie Policy.
const localStorageKey = 'userEmail';
const sessionStorageKey = 'enteredEmail';

/** Stores the email that signed up in this browser; only warns if the visitor's settings forbid it. */
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
