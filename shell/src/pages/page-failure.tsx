import type { RegisteredRoute } from '@daybook/contract';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { PageLoadError } from '../remotes/page-load-error.ts';
import type { SiteRemotes } from '../remotes/site-remotes.ts';
import { useLocation, useNavigate, useRouteError } from '../router/react-router.ts';
import { PageLoading } from './page-loading.tsx';
import { Unavailable } from './unavailable.tsx';
import { setRetried } from './use-focus-after-retry.ts';

interface PageFailureProps {
  readonly registered: RegisteredRoute;
  readonly remotes: SiteRemotes;
}

/**
 * Stands in for a page that could not be loaded or failed to render. What failed to load has been tried from every
 * release; for what failed to render, another release is tried first. Trying again loads the remote anew; the rest of
 * the site works on.
 */
export function PageFailure({ registered, remotes }: PageFailureProps) {
  const { remote, route } = registered;
  const error = useRouteError();
  const navigate = useNavigate();
  const { key, pathname, search, hash, state } = useLocation();
  // React keeps this component where one failure follows another, so what it knows is of one navigation.
  const [hopelessVisit, setHopelessVisit] = useState<string>();
  const [trying, setTrying] = useState(false);
  const failedToLoad = error instanceof PageLoadError;
  const recovering = !failedToLoad && hopelessVisit !== key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version that failed, and not the one that is tried next
  const version = useMemo(() => (failedToLoad ? error.version : remotes.versionOf(registered)), [error, key]);

  // Going to the same address, and not revalidating it: React Router keeps the failure on show where a
  // revalidation is over before React has rendered that it began.
  const reload = async () => navigate(pathname + search + hash, { replace: true, state, preventScrollReset: true });
  const showRecovered = useEffectEvent(() => void reload());

  useEffect(() => {
    if (!recovering) return;
    let left = false;
    remotes.recover(registered).then((recovered) => {
      if (left) return;
      if (recovered) showRecovered();
      else setHopelessVisit(key);
    });
    return () => {
      left = true;
    };
  }, [recovering, key, remotes, registered]);

  async function tryAgain() {
    setTrying(true);
    setRetried(true);
    remotes.startAnew(registered);
    await reload();
    setTrying(false);
  }

  if (recovering) return <PageLoading />;
  return (
    <Unavailable
      lead={`“${route.title}” did not load. The rest of the site works; often a second try is enough.`}
      remotes={[`${remote.name}@${version}`]}
      {...(error instanceof Error ? { reason: error.name } : {})}
      trying={trying}
      onTryAgain={() => void tryAgain()}
    />
  );
}
