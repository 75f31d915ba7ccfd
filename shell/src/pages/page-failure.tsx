import type { RegisteredRoute } from '@daybook/contract/release';
import { navigate } from '@daybook/platform';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { PageLoadError, type RemoteOnPage } from '../remotes/remote-on-page.ts';
import { focusAfterRetry } from '../router/arrival.ts';
import { addressOf, type Visit } from '../router/visits.ts';
import { PageLoading, Unavailable } from './own-pages.tsx';

interface PageFailureProps {
  readonly visit: Visit;
  readonly registered: RegisteredRoute;
  /** The route's remote on this page. */
  readonly running: RemoteOnPage;
  readonly error: unknown;
}

/**
 * Fallback for a page that failed to load or to render. A page that failed to load was already tried from every
 * release; for one that failed to render, another release is tried first. A retry loads the remote again; the rest of
 * the site stays usable.
 */
export function PageFailure({ visit, registered, running, error }: PageFailureProps) {
  const { remote, route } = registered;
  // React reuses this component if one failure follows another, so its state belongs to one error.
  const [hopeless, setHopeless] = useState<Visit>();
  const [retriedFrom, setRetriedFrom] = useState<Visit>();
  const failedToLoad = error instanceof PageLoadError;
  const recovering = !failedToLoad && hopeless !== visit;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version that failed, and not the one that is tried next
  const version = useMemo(() => (failedToLoad ? error.version : running.version), [error, visit]);

  const reload = () => navigate(addressOf(visit.location), { replace: true, state: visit.location.state });
  const showRecovered = useEffectEvent(reload);

  useEffect(() => {
    if (!recovering) return;
    let left = false;
    running.recover(route.path).then((recovered) => {
      if (left) return;
      if (recovered) showRecovered();
      else setHopeless(visit);
    });
    return () => {
      left = true;
    };
  }, [recovering, visit, running, route]);

  function tryAgain() {
    setRetriedFrom(visit);
    focusAfterRetry();
    running.startAnew();
    reload();
  }

  if (recovering) return <PageLoading />;
  return (
    <Unavailable
      lead={`“${route.title}” did not load. The rest of the site works; often a second try is enough.`}
      remotes={[`${remote.name}@${version}`]}
      {...(error instanceof Error ? { reason: error.name } : {})}
      trying={retriedFrom === visit}
      onTryAgain={tryAgain}
    />
  );
}
