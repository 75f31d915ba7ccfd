import type { PageRoute } from '@daybook/contract/release';
import { LocationContext } from '@daybook/platform/host';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { useLoaderData, useLocation } from 'react-router-dom';
import type { LoadedPage } from '../remotes/site-remotes.ts';
import { pageKeyOf } from '../router/history-entries.ts';

/** Adds the main landmark to content of the shell in the frame of pages that bring their own. */
export const inMain = ({ frame }: Pick<PageRoute, 'frame'>, content: ReactNode) =>
  frame === 'bare' ? <main>{content}</main> : content;

/** A remote's page with its location; without one while it hydrates, because its HTML was rendered without one. */
export function RemotePage({ name }: { readonly name: string }) {
  const {
    version,
    page: { default: Page },
  } = useLoaderData<LoadedPage>();
  const location = useLocation();
  const hydrated = useHydrated();
  // The same element as long as the page stays the same: only components that read the location render again.
  const content = useMemo(() => <Page />, [Page]);
  return (
    <LocationContext key={pageKeyOf(location)} value={hydrated ? location : undefined}>
      <div data-remote={`${name}@${version}`}>{content}</div>
    </LocationContext>
  );
}

const never = () => () => undefined;

/** False while prerendered markup is being hydrated, true from then on, and always without such markup. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
