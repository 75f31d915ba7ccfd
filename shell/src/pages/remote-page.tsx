import type { RegisteredRemote } from '@daybook/contract';
import { LocationContext } from '@daybook/platform/host';
import { useMemo, useState } from 'react';
import { useHydrated } from '../first-page/use-hydrated.ts';
import type { LoadedPage } from '../remotes/remote-on-page.ts';
import type { Location } from '../router/react-router.ts';
import { useArrivalAtAnchor } from './use-arrival-at-anchor.ts';
import { useFocusAfterRetry } from './use-focus-after-retry.ts';

interface RemotePageProps {
  readonly remote: Pick<RegisteredRemote, 'name'>;
  readonly loaded: LoadedPage;
  readonly location: Location;
}

/** A remote's page, with the location it is shown for, marked with the release that it comes from. */
export function RemotePage({ remote, loaded, location }: RemotePageProps) {
  const { pathname, search, hash, state, key } = location;
  const { default: Page } = loaded.page;
  const hydrated = useHydrated();
  const [wasShown] = useState(!hydrated);
  useArrivalAtAnchor({ hash, key }, wasShown);
  useFocusAfterRetry();
  // The same element for as long as it is the same page: what of it reads the location renders again with it, not all.
  const content = useMemo(() => <Page />, [Page]);
  return (
    <LocationContext value={hydrated ? { pathname, search, hash, state } : undefined}>
      <div data-remote={`${remote.name}@${loaded.version}`}>{content}</div>
    </LocationContext>
  );
}
