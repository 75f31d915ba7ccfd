import { useSiteSettings } from '@daybook/platform';
import { Button, ButtonLink, Container, PageHeading, Panel } from '@daybook/ui';
import { Fragment } from 'react';
import styles from './unavailable.module.css';

export const unavailableTitle = 'This page is not available right now';

export interface UnavailableProps {
  /** What happened, and what the visitor may expect. */
  readonly lead: string;
  /** The remotes that are to blame, with their versions where there are any. */
  readonly remotes: readonly string[];
  /** Name of the error. */
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
          <p className={styles.actions}>
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
