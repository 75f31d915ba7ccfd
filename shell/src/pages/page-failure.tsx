import type { RegisteredRoute } from '@daybook/contract';
import { navigate } from '@daybook/platform';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { PageLoadError } from '../remotes/page-load-error.ts';
import type { PageSource } from '../remotes/site-remotes.ts';
import type { Shown } from '../router/use-shown-page.ts';
import { PageLoading } from './page-loading.tsx';
import { Unavailable } from './unavailable.tsx';
import { setRetried } from './use-focus-after-retry.ts';

interface PageFailureProps {
  readonly shown: Shown;
  readonly registered: RegisteredRoute;
  readonly remotes: PageSource;
  readonly error: unknown;
}

/**
 * Stands in for a page that could not be loaded or failed to render. What failed to load has been tried from every
 * release; for what failed to render, another release is tried first. Trying again loads the remote anew; the rest of
 * the site works on.
 */
export function PageFailure({ shown, registered, remotes, error }: PageFailureProps) {
  const { remote, route } = registered;
  // React keeps this component where one failure follows another, so what it knows is of one of them.
  const [hopeless, setHopeless] = useState<Shown>();
  const [retriedFrom, setRetriedFrom] = useState<Shown>();
  const failedToLoad = error instanceof PageLoadError;
  const recovering = !failedToLoad && hopeless !== shown;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version that failed, and not the one that is tried next
  const version = useMemo(() => (failedToLoad ? error.version : remotes.versionOf(registered)), [error, shown]);

  const reload = () => {
    const { pathname, search, hash, state } = shown.location;
    navigate(pathname + search + hash, { replace: true, state });
  };
  const showRecovered = useEffectEvent(reload);

  useEffect(() => {
    if (!recovering) return;
    let left = false;
    remotes.recover(registered).then((recovered) => {
      if (left) return;
      if (recovered) showRecovered();
      else setHopeless(shown);
    });
    return () => {
      left = true;
    };
  }, [recovering, shown, remotes, registered]);

  function tryAgain() {
    setRetriedFrom(shown);
    setRetried(true);
    remotes.startAnew(registered);
    reload();
  }

  if (recovering) return <PageLoading />;
  return (
    <Unavailable
      lead={`“${route.title}” did not load. The rest of the site works; often a second try is enough.`}
      remotes={[`${remote.name}@${version}`]}
      {...(error instanceof Error ? { reason: error.name } : {})}
      trying={retriedFrom === shown}
      onTryAgain={tryAgain}
    />
  );
}
