import { log } from './log.ts';

/** Stores the email that signed up in this browser; only warns if the visitor's settings forbid it. */
export function storeEmail(email: string): void {
  attempt(() => localStorage.setItem('userEmail', email));
  attempt(() => sessionStorage.setItem('enteredEmail', email));
}

function attempt(store: () => void): void {
  try {
    store();
  } catch (error) {
    log('warn', 'The e-mail address could not be stored in the browser:', error);
  }
}
