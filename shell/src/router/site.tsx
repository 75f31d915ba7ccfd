import type { RegisteredPage } from '@daybook/contract/release';
import { pageTitle } from '@daybook/contract/site';
import { Optional } from '@daybook/ui';
import { useEffect, useEffectEvent, useInsertionEffect } from 'react';
import {
  type DataRouter,
  Outlet,
  RouterProvider,
  ScrollRestoration,
  useMatches,
  useNavigation,
} from 'react-router-dom';
import { FrameLayout } from '../frame/frame-layout.tsx';
import { useFocusAfterNavigation } from '../navigation/focus.ts';
import { positionsKey } from '../navigation/history-entries.ts';
import { useHydrated } from '../pages/remote-page.tsx';

interface AppProps {
  readonly router: DataRouter;
  /** Called when React has rendered the document's first page in place of the server's. */
  readonly onRendered?: () => void;
}

/** The whole site in the browser. */
export function App({ router, onRendered }: AppProps) {
  const report = useEffectEvent(() => onRendered?.());
  useInsertionEffect(() => report(), []);
  // React logs errors already.
  return <RouterProvider router={router} onError={() => undefined} />;
}

export interface SiteProps {
  /** Called when the site is interactive: React rendered the shown page with its location. */
  readonly onReady?: (() => void) | undefined;
}

const page = <Outlet />;

/** The frame around the page of the current route. */
export function Site({ onReady }: SiteProps) {
  const route = useMatches().at(-1)?.handle as RegisteredPage | undefined;
  useFocusAfterNavigation();
  useEffect(() => {
    document.title = pageTitle(route);
  }, [route]);
  return (
    <>
      <FrameLayout frame={route?.frame} isLeaving={useNavigation().state === 'loading'}>
        {page}
      </FrameLayout>
      <Optional>
        <ScrollRestoration storageKey={positionsKey} />
      </Optional>
      {onReady && <Readiness onReady={onReady} />}
    </>
  );
}

/** Rendered last, so that all other effects have run. */
function Readiness({ onReady }: { readonly onReady: () => void }) {
  const hydrated = useHydrated();
  const report = useEffectEvent(onReady);
  useEffect(() => {
    if (hydrated) report();
  }, [hydrated]);
  return null;
}
