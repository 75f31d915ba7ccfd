import { type Location, LocationContext } from '@daybook/platform/host';
import { useMemo, useSyncExternalStore } from 'react';
import type { LoadedPage } from '../remotes/remote-on-page.ts';

interface RemotePageProps extends Pick<LoadedPage, 'page'> {
  /** The release that the page comes from, as name@version; its mark. */
  readonly release: string;
  readonly location: Location;
}

/** A remote's page, with the location it is shown for; with none while it hydrates, since its HTML was made for none. */
export function RemotePage({ page: { default: Page }, release, location }: RemotePageProps) {
  // The same element for as long as it is the same page: what of it reads the location renders again with it, not all.
  const content = useMemo(() => <Page />, [Page]);
  const hydrated = useHydrated();
  return (
    <LocationContext value={hydrated ? location : undefined}>
      <div data-remote={release}>{content}</div>
    </LocationContext>
  );
}

const never = () => () => undefined;

/** False while prerendered markup is being hydrated, true from then on, and always where there is none. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
