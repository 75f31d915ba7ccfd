import { createContext, useContext } from 'react';

/** The visitor's location. `search` and `hash` include their leading `?` and `#`, or are empty. */
export interface Location {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  /** Passed by the previous page; survives a reload. */
  readonly state: unknown;
}

/** Navigates to a path of this site; `state` is cloned into `Location.state` of the next page. */
export type Navigate = (to: string, options?: { readonly replace?: boolean; readonly state?: unknown }) => void;

let connected: Navigate | undefined;

/** Called once by the shell before it renders any page: `navigate` then uses its router. */
export function connectNavigation(navigateWithRouter: Navigate): void {
  connected = navigateWithRouter;
}

/** Navigates without a page load. Plain links don't need it: the shell does the same for any `<a href>` of the site. */
export const navigate: Navigate = (to, options) => {
  if (!connected)
    throw new Error('Navigation is not connected: the shell calls connectNavigation() before it renders a page.');
  connected(to, options);
};

/** A context instead of a global: the current page must not see the location of the next one while that loads. */
export const LocationContext = createContext<Location | undefined>(undefined);

/**
 * Returns the location of this page; `undefined` in the first render of a prerendered page and while the browser
 * prerenders the document. Effects that send, count or navigate wait for it.
 */
export function useLocation(): Location | undefined {
  return useContext(LocationContext);
}
