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

/** A remote's page with its styles and its location; without a location while it hydrates, and until a visitor sees it. */
export function RemotePage({ name }: { readonly name: string }) {
  const {
    version,
    page: { default: Page },
  } = useLoaderData<LoadedPage>();
  const release = `${name}@${version}`;
  useInsertionEffect(() => showStyles(release), [release]);
  const location = useLocation();
  const shown = useSyncExternalStore(
    whenShown,
    () => !isPrerendering(),
    () => false,
  );
  // Only components that read the location render again.
  const content = useMemo(() => <Page />, [Page]);
  return (
    <LocationContext key={pageKeyOf(location)} value={shown ? location : undefined}>
      <div data-remote={release}>{content}</div>
    </LocationContext>
  );
}

const never = () => () => undefined;

/** False while prerendered markup is being hydrated. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
