import type { RegisteredRoute } from '@daybook/contract';
import { useSiteSettings } from '@daybook/platform';
import { Button, ButtonLink, Container, PageHeading, Panel } from '@daybook/ui';
import { useState } from 'react';
import { isReleasedAnew } from '../remotes/is-released-anew.ts';
import { useLocation, useNavigate, useRouteError } from '../router/react-router.ts';
import styles from './page-failure.module.css';
import { setRetried } from './use-focus-after-retry.ts';

/**
 * Stands in for a page that could not be loaded or failed to render. Trying again loads the remote anew; the
 * rest of the site works on.
 */
export function PageFailure({ registered: { remote, route } }: { readonly registered: RegisteredRoute }) {
  const error = useRouteError();
  const navigate = useNavigate();
  const { pathname, search, hash, state } = useLocation();
  const { supportAddress } = useSiteSettings();
  const [trying, setTrying] = useState(false);

  async function tryAgain() {
    setTrying(true);
    setRetried(true);
    // A page that was opened before a release names files that are gone: only a new page knows the new ones.
    if (await isReleasedAnew(remote)) location.reload();
    // Going to the same address, and not revalidating it: React Router keeps the failure on show where a
    // revalidation is over before React has rendered that it began.
    else await navigate(pathname + search + hash, { replace: true, state, preventScrollReset: true });
    setTrying(false);
  }

  return (
    <Container width="narrow">
      <div className={styles.page}>
        <Panel tone="notice" role="alert" data-failed-remote={`${remote.name}@${remote.version}`}>
          <PageHeading
            lead={`“${route.title}” did not load. The rest of the site works; often a second try is enough.`}
          >
            This page is not available right now
          </PageHeading>
          <p className={styles.actions}>
            <Button busy={trying} busyLabel="Trying again..." onClick={() => void tryAgain()}>
              Try again
            </Button>
            <ButtonLink href="/" variant="secondary">
              Return to the home page
            </ButtonLink>
          </p>
          <p className={styles.details}>
            If it keeps happening, write to <a href={`mailto:${supportAddress}`}>{supportAddress}</a> and name{' '}
            <code>
              {remote.name}@{remote.version}
            </code>
            {error instanceof Error ? ` (${error.name})` : ''}.
          </p>
        </Panel>
      </div>
    </Container>
  );
}
