import { createContext, useContext } from 'react';

/** The visitor's location. `search` and `hash` include their leading `?` and `#`, or are empty. */
export interface Location {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  /** State passed by the previous page; survives a reload, is never sent over the network. */
  readonly state: unknown;
}

interface NavigateOptions {
  /** Replaces the current history entry instead of adding one. */
  readonly replace?: boolean;
  /** Passed to the next page as `Location.state`; must be cloneable. */
  readonly state?: unknown;
}

/** Navigates to a path of this site, with optional query and hash. */
export type Navigate = (to: string, options?: NavigateOptions) => void;

let connected: Navigate | undefined;

/** Called once by the shell before it renders any page: `navigate` then uses its router. */
export function connectNavigation(navigateWithRouter: Navigate): void {
  connected = navigateWithRouter;
}

/**
 * Navigates to a page of this site without a page load. Plain links do not need it: the shell turns clicks on any `<a
 * href>` of the site into such a navigation.
 */
export const navigate: Navigate = (to, options) => {
  if (!connected)
    throw new Error('Navigation is not connected: the shell calls connectNavigation() before it renders a page.');
  connected(to, options);
};

/**
 * The location that the surrounding page was rendered for. A context instead of a global: while the next page loads,
 * the current one must not see the new location.
 */
export const LocationContext = createContext<Location | undefined>(undefined);

/**
 * Returns the location of this page, or `undefined` in the first render of a prerendered page: fragments are rendered
 * at build time, so the page hydrates in its neutral state and completes right after. Also while the browser prerenders
 * the document: effects that send, count or navigate wait for the location.
 */
export function useLocation(): Location | undefined {
  return useContext(LocationContext);
}
