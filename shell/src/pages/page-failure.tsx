import type { RegisteredRoute } from '@daybook/contract';
import { useSiteSettings } from '@daybook/platform';
import { Button, ButtonLink, Container, PageHeading, Panel } from '@daybook/ui';
import { useRevalidator, useRouteError } from '../router/react-router.ts';
import styles from './page-failure.module.css';

/**
 * Stands in for a page that could not be loaded or failed to render. Trying again loads the remote anew; the
 * rest of the site works on.
 */
export function PageFailure({ registered: { remote, route } }: { readonly registered: RegisteredRoute }) {
  const error = useRouteError();
  const revalidator = useRevalidator();
  const { supportAddress } = useSiteSettings();
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
            <Button
              busy={revalidator.state === 'loading'}
              busyLabel="Trying again..."
              onClick={() => revalidator.revalidate()}
            >
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
