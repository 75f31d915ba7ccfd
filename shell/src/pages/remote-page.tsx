import type { PageRoute } from '@daybook/contract/release';
import { LocationContext } from '@daybook/platform/host';
import { isPrerendering, whenShown } from '@daybook/platform/when';
import { type ReactNode, useInsertionEffect, useMemo, useSyncExternalStore } from 'react';
import { useLoaderData, useLocation } from 'react-router-dom';
import { pageKeyOf } from '../navigation/history-entries.ts';
import { showStyles } from '../remotes/release-styles.ts';
import type { LoadedPage } from '../remotes/site-remotes.ts';

/** Adds the main landmark to content of the shell in the frame of pages that bring their own. */
export const inMain = ({ frame }: Pick<PageRoute, 'frame'>, content: ReactNode) =>
  frame === 'bare' ? <main>{content}</main> : content;

/**
 * A remote's page with its styles and its location; without a location while it hydrates, because its HTML was rendered
 * without one, and until a visitor sees it.
 */
export function RemotePage({ name }: { readonly name: string }) {
  const {
    version,
    page: { default: Page },
  } = useLoaderData<LoadedPage>();
  const release = `${name}@${version}`;
  // With the commit that shows the page: not before, while another page is shown, and not after it was left.
  useInsertionEffect(() => showStyles(release), [release]);
  const location = useLocation();
  const shown = useSyncExternalStore(
    whenShown,
    () => !isPrerendering(),
    () => false,
  );
  // The same element as long as the page stays the same: only components that read the location render again.
  const content = useMemo(() => <Page />, [Page]);
  return (
    <LocationContext key={pageKeyOf(location)} value={shown ? location : undefined}>
      <div data-remote={release}>{content}</div>
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
