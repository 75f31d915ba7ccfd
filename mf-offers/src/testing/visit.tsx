import { connectNavigation, LocationContext } from '@daybook/platform/host';
import { render } from '@testing-library/react';
import { type ComponentType, StrictMode } from 'react';

export interface Navigation {
  readonly to: string;
  readonly state: unknown;
  /** Whether it takes the place of this page in the history. */
  readonly replace?: true;
}

/**
 * Shows a page as the shell would at this address, and lists where it navigates to. Strict mode runs effects
 * twice, as a page must be able to bear.
 */
export function visit(Page: ComponentType, address: string, state: unknown = null) {
  const navigations: Navigation[] = [];
  connectNavigation((to, options) =>
    navigations.push({ to, state: options?.state, ...(options?.replace && { replace: true }) }),
  );
  const { pathname, search, hash } = new URL(address, 'https://daybook.example');
  const view = render(
    <StrictMode>
      <LocationContext value={{ pathname, search, hash, state }}>
        <main>
          <Page />
        </main>
      </LocationContext>
    </StrictMode>,
  );
  return { ...view, navigations };
}

/** Shows a page as its release's prerendered fragment does: without an address. */
export function prerender(Page: ComponentType) {
  return render(
    <main>
      <Page />
    </main>,
  );
}
