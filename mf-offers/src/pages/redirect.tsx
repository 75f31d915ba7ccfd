import type { PageRouteDefinition } from '@daybook/platform/page';
import { Button, Container, NeedsScript, PageHeading, Panel, VisuallyHidden } from '@daybook/ui';
import { Fragment } from 'react';
import { useLiteralParameters } from '../literal-parameters.ts';
import { parseWebUrl } from '../new-tab.ts';
import { countdownDuration, useRedirect } from '../use-redirect.ts';
import styles from './redirect.module.css';

export const route = {
  path: '/redirect',
  title: 'Taking you to another website',
  description:
    'You are leaving Daybook for another website. It opens in a new tab in four seconds, unless you stop it.',
  frame: 'site',
  noIndex: true,
} satisfies PageRouteDefinition;

export default function RedirectPage() {
  const parameters = useLiteralParameters();
  const url = parameters && (parseWebUrl(parameters.get('url')) ?? null);
  const { state, passed, toggle, follow } = useRedirect(url);
  return (
    <Container width="narrow" className={styles.page}>
      <PageHeading lead={redirectCopy.lead}>{redirectCopy.heading}</PageHeading>
      <NeedsScript>{redirectCopy.needsScript}</NeedsScript>
      <Panel aria-label={redirectCopy.progressLabel}>
        <p className={styles.destination}>
          {redirectCopy.destination}{' '}
          <strong className={styles.host} translate="no">
            {url && breakable(url.host)}
          </strong>
        </p>
        <CountdownBar state={state} passed={passed} host={url?.host} />
        <div className={styles.actions}>
          <Button variant="secondary" onClick={toggle}>
            {state === 'stopped' ? redirectCopy.startAgain : redirectCopy.stop}
          </Button>
          <p>
            {redirectCopy.dontWait}{' '}
            <a
              className={styles.link}
              href={url?.href}
              target="_blank"
              rel="noopener noreferrer nofollow"
              onClick={follow}
              onAuxClick={({ button }) => button === 1 && follow()}
            >
              {redirectCopy.clickHere}
            </a>
            .
          </p>
        </div>
      </Panel>
    </Container>
  );
}

/** A long host breaks before its dots, if necessary. */
function breakable(host: string) {
  return host.split(/(?=\.)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change places
    <Fragment key={index}>
      {index > 0 && <wbr />}
      <span>{part}</span>
    </Fragment>
  ));
}

interface CountdownBarProps extends Pick<ReturnType<typeof useRedirect>, 'state' | 'passed'> {
  readonly host: string | undefined;
}

/**
 * Screen readers announce the start, a stop and the end, not every second. The start comes shortly after the page loads,
 * because they ignore the initial content of a live region.
 */
function CountdownBar({ state, passed, host = '' }: CountdownBarProps) {
  const shown = state === 'stopped' ? 0 : passed;
  const bar = { 'aria-label': redirectCopy.progressLabel, max: countdownDuration };
  const ended = { counting: undefined, stopped: redirectCopy.stopped, leaving: redirectCopy.opening(host) }[state];
  // At the last tick no second is left, and nothing is open yet.
  const secondsLeft = Math.max(1, Math.ceil((countdownDuration - passed) / 1000));
  return (
    <div>
      <div className={styles.track}>
        <progress {...bar} className={styles.smooth} value={shown} />
        {/* With reduced motion: four steps instead of a moving bar. */}
        <progress {...bar} className={styles.stepped} value={Math.floor(shown / 1000) * 1000} />
      </div>
      {!ended && <p className={styles.text}>{redirectCopy.opensIn(secondsLeft)}</p>}
      <p role="status" className={ended && styles.text}>
        {ended ? (
          // An element for each text: a translator may have replaced the text.
          <span key={state}>{ended}</span>
        ) : (
          <VisuallyHidden>{host && passed > 0 ? redirectCopy.announceStart(host) : ''}</VisuallyHidden>
        )}
      </p>
    </div>
  );
}

const redirectCopy = {
  heading: 'Taking you to another website',
  lead: 'It opens in a new tab, and Daybook stays open in this one. If your browser blocks the tab, the next page has a link.',
  needsScript: 'Opening it needs JavaScript. Without it, please type the website’s address yourself.',
  destination: 'You’re going to',
  progressLabel: 'Time until the website opens',
  opensIn: (seconds: number) => (seconds === 1 ? 'Opens in 1 second' : `Opens in ${seconds} seconds`),
  opening: (host: string) => `Opening ${host}.`,
  stopped: 'Stopped. Nothing will open until you say so.',
  stop: 'Stop',
  startAgain: 'Start again',
  dontWait: 'To go now,',
  clickHere: 'click here',
  announceStart: (host: string) =>
    `${host} opens in a new tab in ${countdownDuration / 1000} seconds, unless you stop it.`,
} as const;
