import { missingRemotesRetryAfter, type PageRoute } from '@daybook/contract';
import { useSiteSettings } from '@daybook/platform';
import { Button, ButtonLink, Container, PageHeading, Panel, Spinner } from '@daybook/ui';
import { Fragment } from 'react';
import styles from './own-pages.module.css';

/** Any path that no remote claims; heading and hint are those of docs/product.md (Pages). */
export function NotFoundPage() {
  return (
    <Container width="narrow">
      <div className={styles.page}>
        <PageHeading lead="Did you forget to add the page to the router?">404 Page Not Found</PageHeading>
        <p className={styles.actions}>
          <ButtonLink href="/">Return to the home page</ButtonLink>
        </p>
      </div>
    </Container>
  );
}

/** Stands in while the first page of a document loads. */
export function PageLoading() {
  return (
    <Container>
      <div className={styles.page}>
        <Spinner label="Loading the page" />
      </div>
    </Container>
  );
}

/** Stands in for the whole site where its own frame has failed: the last resort, without anything that might fail again. */
export function SiteFailure() {
  return (
    <main>
      <Container width="narrow">
        <div className={styles.page}>
          <PageHeading lead="This page has stopped working. Reloading it usually helps.">
            Something went wrong
          </PageHeading>
          <p className={styles.actions}>
            <Button onClick={() => location.reload()}>Reload the page</Button>
          </p>
        </div>
      </Container>
    </main>
  );
}

const unavailableTitle = 'This page is not available right now';

/** What the frame has to know of an unknown path while a remote is missing. */
export const missingRemotesRoute: PageRoute = {
  path: '*',
  title: unavailableTitle,
  description: 'A part of the site is not available.',
  frame: 'site',
  noIndex: true,
};

/** Any path that no remote claims, while a remote has no release: the page may be one of its own. */
export function MissingRemotesPage({ missing }: { readonly missing: readonly string[] }) {
  return (
    <Unavailable
      lead={`A part of the site is not available, and this page may belong to it. Please try again in about ${missingRemotesRetryAfter} seconds; the rest of the site works.`}
      remotes={missing}
      onTryAgain={() => location.reload()}
    />
  );
}

interface UnavailableProps {
  /** What happened, and what the visitor may expect. */
  readonly lead: string;
  /** The remotes that are to blame, with their versions where there are any. */
  readonly remotes: readonly string[];
  readonly reason?: string;
  readonly trying?: boolean;
  readonly onTryAgain: () => void;
}

/** Stands in for a page that is not there: names what is to blame, can try again, and says where to write to. */
export function Unavailable({ lead, remotes, reason, trying = false, onTryAgain }: UnavailableProps) {
  const { supportAddress } = useSiteSettings();
  return (
    <Container width="narrow">
      <div className={styles.page}>
        <Panel tone="notice" role="alert" data-failed-remote={remotes.join(' ')}>
          <PageHeading lead={lead}>{unavailableTitle}</PageHeading>
          <p className={styles.choices}>
            <Button busy={trying} busyLabel="Trying again..." onClick={onTryAgain}>
              Try again
            </Button>
            <ButtonLink href="/" variant="secondary">
              Return to the home page
            </ButtonLink>
          </p>
          <p className={styles.details}>
            If it keeps happening, write to <a href={`mailto:${supportAddress}`}>{supportAddress}</a> and name{' '}
            {remotes.map((remote, index) => (
              <Fragment key={remote}>
                {index > 0 && ', '}
                <code>{remote}</code>
              </Fragment>
            ))}
            {reason && ` (${reason})`}.
          </p>
        </Panel>
      </div>
    </Container>
  );
}
