import type { RegisteredRoute } from '@daybook/contract';
import type { PageModule } from '@daybook/platform/define-remote';
import { LocationContext } from '@daybook/platform/host';
import { useSyncExternalStore } from 'react';
import { useLoaderData, useLocation } from '../router/react-router.ts';
import { useArrivalAtAnchor } from './use-arrival-at-anchor.ts';
import { useFocusAfterRetry } from './use-focus-after-retry.ts';

const never = () => () => undefined;

/** False while prerendered markup is being hydrated, true from then on. */
const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** A remote's page, with the location it is shown for, marked with the release that it comes from. */
export function RemotePage({ registered: { remote } }: { readonly registered: RegisteredRoute }) {
  const { default: Page } = useLoaderData<PageModule>();
  const { pathname, search, hash, state } = useLocation();
  const hydrated = useHydrated();
  useArrivalAtAnchor(hash);
  useFocusAfterRetry();
  return (
    <LocationContext value={hydrated ? { pathname, search, hash, state } : undefined}>
      <div data-remote={`${remote.name}@${remote.version}`}>
        <Page />
      </div>
    </LocationContext>
  );
}
