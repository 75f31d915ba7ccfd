import { Button, Container, NeedsScript, PageHeading, Panel } from '@daybook/ui';
import { Fragment } from 'react';
import type { WebAddress } from '../new-tab/web-address.ts';
import { CountdownBar } from './countdown-bar.tsx';
import styles from './redirect.module.css';
import { redirectCopy } from './redirect-copy.ts';
import { useRedirect } from './use-redirect.ts';

interface RedirectProperties {
  /** `undefined` while the page's own address is not known, `null` where it names none. */
  readonly address: WebAddress | null | undefined;
}

/** The countdown before another website opens (product document, section 2). It can be stopped, and cut short. */
export function Redirect({ address }: RedirectProperties) {
  const { state, passed, toggle, follow } = useRedirect(address);
  const stopped = state === 'stopped';
  return (
    <Container width="narrow" className={styles.page}>
      <PageHeading lead={redirectCopy.lead}>{redirectCopy.heading}</PageHeading>
      <NeedsScript>{redirectCopy.needsScript}</NeedsScript>
      <Panel aria-label={redirectCopy.progressLabel}>
        <p className={styles.destination}>
          {redirectCopy.destination} <strong className={styles.host}>{address && breakable(address.host)}</strong>
        </p>
        <CountdownBar
          passed={stopped ? 0 : passed}
          stopped={stopped}
          announcement={address && passed > 0 ? announcement(state, address.host) : ''}
        />
        <div className={styles.actions}>
          <Button variant="secondary" onClick={toggle}>
            {stopped ? redirectCopy.startAgain : redirectCopy.stop}
          </Button>
          <p>
            {redirectCopy.dontWait}{' '}
            <a
              className={styles.link}
              href={address?.href}
              target="_blank"
              rel="noopener noreferrer nofollow"
              onClick={follow}
              onAuxClick={({ button }) => button === 1 && follow()}
            >
              {redirectCopy.clickHere}
            </a>
          </p>
        </div>
      </Panel>
    </Container>
  );
}

/** A long host breaks before its dots, if it has to. */
function breakable(host: string) {
  return host.split(/(?=\.)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change places
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/**
 * Said at the start and at the end; not every second. A stop is said by the bar. The start is said a moment after
 * the page is there, since what stands in a new page's live region is not read out.
 */
function announcement(state: ReturnType<typeof useRedirect>['state'], host: string): string {
  switch (state) {
    case 'waiting':
    case 'stopped':
      return '';
    case 'counting':
      return redirectCopy.announceStart(host);
    case 'leaving':
      return redirectCopy.announceEnd(host);
    default:
      return state satisfies never;
  }
}
