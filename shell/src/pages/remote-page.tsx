import { type Location, LocationContext } from '@daybook/platform/host';
import { useMemo } from 'react';
import type { LoadedPage } from '../remotes/remote-on-page.ts';

interface RemotePageProps extends Pick<LoadedPage, 'page'> {
  /** The release that the page comes from, as name@version; its mark. */
  readonly release: string;
  /** Where the page is shown; `undefined` while it hydrates, since its HTML was made for no location. */
  readonly location: Location | undefined;
}

/** A remote's page, with the location it is shown for. */
export function RemotePage({ page: { default: Page }, release, location }: RemotePageProps) {
  // The same element for as long as it is the same page: what of it reads the location renders again with it, not all.
  const content = useMemo(() => <Page />, [Page]);
  return (
    <LocationContext value={location}>
      <div data-remote={release}>{content}</div>
    </LocationContext>
  );
}
