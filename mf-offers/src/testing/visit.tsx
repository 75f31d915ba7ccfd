import type { Location } from '@daybook/platform';
import { connectNavigation, LocationContext } from '@daybook/platform/host';
import { render } from '@testing-library/react';
import { type ComponentType, StrictMode } from 'react';

function locationOf(url: string, state: unknown = null): Location {
  const { pathname, search, hash } = new URL(url, 'https://daybook.example');
  return { pathname, search, hash, state };
}

/** Renders a page like the shell does, and lists its navigations. Strict mode runs effects twice. */
function show(Page: ComponentType, first: Location | undefined) {
  const navigations: unknown[] = [];
  connectNavigation((to, options) => navigations.push({ to, state: undefined, ...options }));
  const at = (location: Location | undefined) => (
    <StrictMode>
      <LocationContext value={location}>
        <main>
          <Page />
        </main>
      </LocationContext>
    </StrictMode>
  );
  const view = render(at(first));
  return { ...view, navigations, arriveAt: (url: string) => view.rerender(at(locationOf(url))) };
}

export const visit = (Page: ComponentType, url: string, state?: unknown) => show(Page, locationOf(url, state));

/** Renders a page like its release's prerendered fragment, without a URL, until it arrives at one. */
export const prerender = (Page: ComponentType) => show(Page, undefined);
