import type { RegisteredRoute } from '@daybook/contract/release';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate, useNavigation, useRouteError, useRouteLoaderData } from 'react-router-dom';
import { focusPage } from '../navigation/focus.ts';
import { type LoadedPage, PageLoadError, type RemoteOnPage } from '../remotes/site-remotes.ts';
import { isForeignChange } from './foreign-change.ts';
import { PageLoading, Unavailable } from './own-pages.tsx';

interface PageFailureProps {
  readonly registered: RegisteredRoute;
  /** The route's remote on this page. */
  readonly running: RemoteOnPage;
}

/**
 * Fallback for a page that failed to load, which was tried from every release already, or to render: another release is tried
 * first.
 */
export function PageFailure(props: PageFailureProps) {
  const error = useRouteError();
  const rendered = useRouteLoaderData<LoadedPage>(props.registered.route.path);
  if (error instanceof PageLoadError) return <UnavailablePage {...props} version={error.version} error={error} />;
  if (!rendered) return <UnavailablePage {...props} version={props.running.version} error={error} />;
  return <Recovery {...props} rendered={rendered} error={error} />;
}

interface RecoveryProps extends PageFailureProps {
  readonly rendered: LoadedPage;
  readonly error: unknown;
}

/** Shows the page from another release than the one whose page threw, or explains that there is none. */
function Recovery({ rendered, error, ...props }: RecoveryProps) {
  const [hopeless, setHopeless] = useState<LoadedPage>();
  const renderedAgain = useRef(false);
  const loadAgain = useLoadAgain();
  const recover = useEffectEvent(async (signal: AbortSignal) => {
    // No failure of the release: the same page is rendered again, once.
    const canRecover = isForeignChange(error)
      ? !renderedAgain.current
      : await props.running.recover(props.registered.route.path, signal).catch(() => false);
    if (signal.aborted) return;
    renderedAgain.current = true;
    if (canRecover) loadAgain();
    else setHopeless(rendered);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that fails, also one after another, is recovered from
  useEffect(() => {
    const shown = new AbortController();
    void recover(shown.signal);
    return () => shown.abort();
  }, [rendered]);
  return hopeless === rendered ? (
    <UnavailablePage {...props} version={rendered.version} error={error} />
  ) : (
    <PageLoading />
  );
}

interface UnavailablePageProps extends PageFailureProps {
  readonly version: string;
  readonly error: unknown;
}

/** After a retry, the page takes the focus of the removed button. */
function UnavailablePage({ registered: { remote, route }, running, version, error }: UnavailablePageProps) {
  const loadAgain = useLoadAgain();
  const next = useNavigation().location;
  const { pathname } = useLocation();
  const retried = useRef(false);
  useEffect(
    () => () => {
      if (retried.current && document.activeElement === document.body) focusPage();
    },
    [],
  );
  return (
    <Unavailable
      lead={`“${route.title}” didn’t load. The rest of the site works, and a second try is often enough.`}
      remotes={[`${remote.name}@${version}`]}
      {...(error instanceof Error ? { reason: error.name } : {})}
      trying={next?.pathname === pathname}
      onTryAgain={() => {
        retried.current = true;
        running.startAnew();
        loadAgain();
      }}
    />
  );
}

/** Returns a function that loads the page of this URL again. React Router's `revalidate` does not reset errors. */
function useLoadAgain() {
  const navigate = useNavigate();
  const location = useLocation();
  return () => void navigate(location, { replace: true, state: location.state, preventScrollReset: true });
}
