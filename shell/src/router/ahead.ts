import type { RegisteredRoute } from '@daybook/contract/release';
import { useSyncExternalStore } from 'react';

let ahead: RegisteredRoute | undefined;
const listeners = new Set<() => void>();

/**
 * Sets the text page that the visitor is about to open. It is rendered hidden, when the browser is idle, so that the click
 * only shows it.
 */
export function setAhead(registered: RegisteredRoute | undefined): void {
  if (ahead?.route === registered?.route) return;
  ahead = registered;
  for (const listener of listeners) listener();
}

/** Returns the page that is rendered ahead. */
export const useAhead = (): RegisteredRoute | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ahead,
    () => undefined,
  );
