import type { RegisteredRoute } from '@daybook/contract';
import { LocationContext } from '@daybook/platform/host';
import { useState } from 'react';
import { useHydrated } from '../first-page/use-hydrated.ts';
import type { LoadedPage } from '../remotes/remote-on-page.ts';
import { useLoaderData, useLocation } from '../router/react-router.ts';
import { useArrivalAtAnchor } from './use-arrival-at-anchor.ts';
import { useFocusAfterRetry } from './use-focus-after-retry.ts';

/** A remote's page, with the location it is shown for, marked with the release that it comes from. */
export function RemotePage({ registered: { remote } }: { readonly registered: RegisteredRoute }) {
  const {
    page: { default: Page },
    version,
  } = useLoaderData<LoadedPage>();
  const { pathname, search, hash, state } = useLocation();
  const hydrated = useHydrated();
  const [wasShown] = useState(!hydrated);
  useArrivalAtAnchor(hash, wasShown);
  useFocusAfterRetry();
  return (
    <LocationContext value={hydrated ? { pathname, search, hash, state } : undefined}>
      <div data-remote={`${remote.name}@${version}`}>
        <Page />
      </div>
    </LocationContext>
  );
}
