import { connectNavigation } from '@daybook/platform/host';
import { memo, type ReactNode, use, useDeferredValue, useEffect, useLayoutEffect } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { FrameLayout } from '../frame/frame-layout.tsx';
import { ErrorBoundary } from '../pages/error-boundary.tsx';
import {
  MissingRemotesPage,
  missingRemotesRoute,
  NotFoundPage,
  PageLoading,
  SiteFailure,
} from '../pages/own-pages.tsx';
import { PageFailure } from '../pages/page-failure.tsx';
import { RemotePage } from '../pages/remote-page.tsx';
import { useArrival } from './arrival.ts';
import { useScrolling } from './scrolling.ts';
import type { Visit, Visits } from './visits.ts';

export interface SiteProps {
  readonly visits: Visits;
}

/**
 * The page of the browser's location in its frame. A page stays on show until the next one has arrived, as React defers
 * a value whose rendering suspends; one that is there already is not deferred, and takes its place with the address.
 */
export function Site({ visits }: SiteProps) {
  useConnectedNavigation();
  useNavigationLog();
  const target = visits.at(useLocation(), useNavigationType());
  const arrived = useDeferredValue<Visit>(target, target.outcome ? undefined : { ...target, outcome: 'loading' });
  const shown = target.outcome ? target : arrived;
  useScrolling(shown);
  return <ShownVisit visit={shown} visits={visits} isLeaving={shown.location !== target.location} />;
}

interface ShownVisitProps extends SiteProps {
  readonly visit: Visit;
  readonly isLeaving: boolean;
}

/** Not rendered again where React catches up with a page that was not deferred. */
const ShownVisit = memo(function ShownVisit({ visit, visits, isLeaving }: ShownVisitProps) {
  const route = visit.registered?.route ?? (visits.missing.length > 0 ? missingRemotesRoute : undefined);
  useArrival(visit, route, visits.isHydrated);
  return (
    <ErrorBoundary resetBy={visit} fallback={() => <SiteFailure />}>
      <FrameLayout frame={route?.frame} isLeaving={isLeaving}>
        <Content visit={visit} visits={visits} />
      </FrameLayout>
    </ErrorBoundary>
  );
});

interface ContentProps extends SiteProps {
  readonly visit: Visit;
}

function Content({ visit, visits }: ContentProps) {
  const { registered } = visit;
  if (!registered)
    return visits.missing.length > 0 ? <MissingRemotesPage missing={visits.missing} /> : <NotFoundPage />;
  const { remote, route } = registered;
  // In the place of a page that would bring its own main landmark, the shell brings one.
  const inMain = (content: ReactNode) => (route.frame === 'bare' ? <main>{content}</main> : content);
  const draw = (outcome: Visit['outcome']) => {
    if (typeof outcome !== 'object') return inMain(<PageLoading />);
    if ('error' in outcome)
      return inMain(
        <PageFailure {...{ visit, registered }} running={visits.remotes.of(registered)} error={outcome.error} />,
      );
    const release = `${remote.name}@${outcome.version}`;
    return <RemotePage key={route.path} page={outcome.page} release={release} location={visit.location} />;
  };
  return (
    <ErrorBoundary resetBy={visit} fallback={(error) => draw({ error })}>
      <Arrived visit={visit} draw={draw} />
    </ErrorBoundary>
  );
}

/** Suspends until the visit's page has arrived. */
function Arrived({ visit, draw }: { readonly visit: Visit; readonly draw: (outcome: Visit['outcome']) => ReactNode }) {
  return draw(visit.outcome ?? use(visit.arrival));
}

/** Lets pages go on through the router. */
function useConnectedNavigation(): void {
  const navigate = useNavigate();
  // Before the effects of the page, which may go on at once.
  useLayoutEffect(() => connectNavigation((to, options) => void navigate(to, options)), [navigate]);
}

/** Path and query of each navigation go to the console (product document, section 2), whatever becomes of its page. */
function useNavigationLog(): void {
  const { pathname, search, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation is logged, also one to the same address
  useEffect(() => {
    console.log(pathname + search);
  }, [pathname, search, key]);
}
