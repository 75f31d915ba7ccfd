import { createContext, useContext } from 'react';

/** Where the visitor is. `search` and `hash` carry their leading `?` and `#`, or are empty. */
export interface Location {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  /** What the page that led here handed over; survives a reload, is never sent anywhere. */
  readonly state: unknown;
}

interface NavigateOptions {
  /** Replace the current history entry instead of adding one. */
  readonly replace?: boolean;
  /** Handed to the next page as `Location.state`; must be cloneable. */
  readonly state?: unknown;
}

/** Goes to a path of this site, with query and hash if any. */
export type Navigate = (to: string, options?: NavigateOptions) => void;

let connected: Navigate | undefined;

/** Called once by the shell, before it renders any page: from then on `navigate` goes through its router. */
export function connectNavigation(navigateWithRouter: Navigate): void {
  connected = navigateWithRouter;
}

/**
 * Goes to a page of this site without a page load. Plain links need no help of this: the shell turns the
 * click on any `<a href>` of the site into a call of it.
 */
export const navigate: Navigate = (to, options) => {
  if (!connected)
    throw new Error('Navigation is not connected: the shell calls connectNavigation() before it renders a page.');
  connected(to, options);
};

/**
 * The location that the surrounding page was rendered for. A context and not a global: while the next page
 * is on its way in, the one that leaves must not see the new location.
 */
export const LocationContext = createContext<Location | undefined>(undefined);

/**
 * The location of this page, or `undefined` in the first render of a prerendered page: a release's fragment is
 * made before anyone asks for it, so the page hydrates in its neutral state and completes right after.
 */
export function useLocation(): Location | undefined {
  return useContext(LocationContext);
}
