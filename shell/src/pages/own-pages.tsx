import { missingRemotesRetryAfter, pageElementId } from '@daybook/contract/page';
import type { RegisteredPage } from '@daybook/contract/release';
import { useSiteSettings } from '@daybook/platform';
import { Button, ButtonLink, Container, NotFound, PageHeading, Panel, Spinner } from '@daybook/ui';
import { Fragment, useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { isForeignChange, reloadOnce } from './foreign-change.ts';
import styles from './own-pages.module.css';

/** The page for paths that no remote claims; heading and hint are those of docs/product.md (Pages). */
export function NotFoundPage() {
  const { supportAddress } = useSiteSettings();
  return (
    <NotFound
      heading="404 Page Not Found"
      lead="Did you forget to add the page to the router?"
      text="If you’re a reader, it isn’t your fault: the page has moved, or the link is missing a piece. Here’s where to go instead."
      home="Return to the home page"
      supportAddress={supportAddress}
    />
  );
}

/** Placeholder while the first page of a document loads. */
export function PageLoading() {
  return (
    <Container className={styles.page}>
      <Spinner label="Loading the page" />
    </Container>
  );
}

/** Fallback for the whole site if its own frame fails. */
export function SiteFailure() {
  const error = useRouteError();
  useEffect(() => {
    // Not before the first page was ready: the new document would fail in the same way.
    if (isForeignChange(error) && document.querySelector(`#${pageElementId}[data-ready]`)) reloadOnce();
  }, [error]);
  return (
    <main>
      <Container width="narrow" className={styles.page}>
        <PageHeading lead="This page stopped working. Reloading it usually helps.">Something went wrong</PageHeading>
        <p className={styles.actions}>
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </p>
      </Container>
    </main>
  );
}

const unavailableTitle = 'This page isn’t available right now';

/** For the frame and the title of an unknown path while a remote is missing. */
export const missingRemotesRoute: RegisteredPage = { path: '*', title: unavailableTitle, frame: 'site' };

/** The page for paths that no remote claims while a remote has no release: the path may be one of its own. */
export function MissingRemotesPage({ missing }: { readonly missing: readonly string[] }) {
  return (
    <Unavailable
      lead={`Part of the site is down, and this page may belong to it. Please try again in about ${missingRemotesRetryAfter} seconds. The rest of the site works.`}
      remotes={missing}
      onTryAgain={() => location.reload()}
    />
  );
}

interface UnavailableProps {
  readonly lead: string;
  /** The failed remotes, with their versions if known. */
  readonly remotes: readonly string[];
  readonly reason?: string;
  readonly trying?: boolean;
  readonly onTryAgain: () => void;
}

/** Fallback for a page that is not available: names the failed remotes, offers a retry, and links to support. */
export function Unavailable({ lead, remotes, reason, trying = false, onTryAgain }: UnavailableProps) {
  const { supportAddress } = useSiteSettings();
  return (
    <Container width="narrow" className={styles.page}>
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
          If it keeps happening, email{' '}
          <a href={`mailto:${supportAddress}`} translate="no">
            {supportAddress}
          </a>{' '}
          and mention {/* As the server lists them (shell/server/pages/compose.ts). */}
          <span translate="no">
            {remotes.map((remote, index) => (
              <Fragment key={remote}>
                {index > 0 && ', '}
                <code>{remote}</code>
              </Fragment>
            ))}
          </span>
          {/* React can change an element after a translator has replaced its text. */}
          <span>{reason ? ` (${reason}).` : '.'}</span>
        </p>
      </Panel>
    </Container>
  );
}
