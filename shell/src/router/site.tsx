import { connectNavigation, LocationContext } from '@daybook/platform/host';
import {
  memo,
  type ReactNode,
  use,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { BrowserRouter, type Location, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
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
import type { LoadedPage } from '../remotes/remote-on-page.ts';
import { useArrival } from './arrival.ts';
import { useScrolling } from './scrolling.ts';
import type { Visit, Visits } from './visits.ts';

interface SiteProps {
  readonly visits: Visits;
}

interface AppProps extends SiteProps {
  /** Called when the site is interactive: React rendered the shown page with its location. */
  readonly onReady?: () => void;
}

/** The whole site in the browser. */
export function App({ onReady, visits }: AppProps) {
  return (
    // Not as a transition, which would defer a page that is already loaded: the site itself defers those that are not.
    <BrowserRouter useTransitions={false}>
      <Site visits={visits} />
      {onReady && <Readiness onReady={onReady} />}
    </BrowserRouter>
  );
}

/** Rendered last, so that all other effects have run; a separate component, so that nothing else renders again. */
function Readiness({ onReady }: { readonly onReady: () => void }) {
  const hydrated = useHydrated();
  const report = useEffectEvent(onReady);
  useEffect(() => {
    if (hydrated) report();
  }, [hydrated]);
  return null;
}

const never = () => () => undefined;

/** False while prerendered markup is being hydrated, true from then on, and always without such markup. */
const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/**
 * The page of the browser's location in its frame. A page stays visible until the next one has loaded, because React
 * defers a value whose rendering suspends; a loaded page is not deferred and appears together with its address.
 */
function Site({ visits }: SiteProps) {
  useConnectedNavigation();
  useNavigationLog();
  const target = visits.at(useLocation(), useNavigationType());
  const arrived = useDeferredValue<Visit>(target, target.result ? undefined : { ...target, result: 'loading' });
  const onScreen = useRef<Visit>(undefined);
  // Not `arrived` alone: right after a page that was not deferred, it is still the page before that one.
  const shown = target.result || arrived === target ? target : (onScreen.current ?? arrived);
  useLayoutEffect(() => {
    onScreen.current = shown;
  }, [shown]);
  useScrolling(shown);
  return <ShownVisit visit={shown} visits={visits} isLeaving={shown.location !== target.location} />;
}

interface ShownVisitProps extends SiteProps {
  readonly visit: Visit;
  readonly isLeaving: boolean;
}

/** Memoized: does not render again when React catches up with a page that was not deferred. */
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
  // The shell adds the main landmark for pages that would bring their own.
  const inMain = (content: ReactNode) => (route.frame === 'bare' ? <main>{content}</main> : content);
  const draw = (result: Visit['result']) => {
    if (typeof result !== 'object') return inMain(<PageLoading />);
    if ('error' in result)
      return inMain(
        <PageFailure {...{ visit, registered }} running={visits.remotes.of(registered)} error={result.error} />,
      );
    return <RemotePage key={visit.pageKey} {...result} name={remote.name} location={visit.location} />;
  };
  return (
    <ErrorBoundary resetBy={visit} fallback={(error) => draw({ error })}>
      <Arrived visit={visit} draw={draw} />
    </ErrorBoundary>
  );
}

interface RemotePageProps extends LoadedPage {
  readonly name: string;
  readonly location: Location;
}

/** A remote's page with its location; without one while it hydrates, because its HTML was rendered without one. */
function RemotePage({ name, version, page: { default: Page }, location }: RemotePageProps) {
  // The same element as long as the page stays the same: only components that read the location render again.
  const content = useMemo(() => <Page />, [Page]);
  const hydrated = useHydrated();
  return (
    <LocationContext value={hydrated ? location : undefined}>
      <div data-remote={`${name}@${version}`}>{content}</div>
    </LocationContext>
  );
}

/** Suspends until the visit's page is loaded. */
function Arrived({ visit, draw }: { readonly visit: Visit; readonly draw: (result: Visit['result']) => ReactNode }) {
  return draw(visit.result ?? use(visit.arrival));
}

/** Connects `navigate` of the platform with the router. */
function useConnectedNavigation(): void {
  const navigate = useNavigate();
  // Before the effects of the page, which may navigate at once.
  useLayoutEffect(() => connectNavigation((to, options) => void navigate(to, options)), [navigate]);
}

/**
 * Logs path and query of each navigation to the console (docs/product.md, Pages), even if its page fails. The document's
 * own is logged by its first script.
 */
function useNavigationLog(): void {
  const { pathname, search, key } = useLocation();
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation is logged, also one to the same address
  useEffect(() => {
    if (!isFirst.current) console.log(pathname + search);
    isFirst.current = false;
  }, [pathname, search, key]);
}
