import { navigate } from '@daybook/platform';
import { useEffect, useState } from 'react';
import { type BlockedTabsState, openInNewTab, type WebUrl } from './new-tab.ts';

/** Length of the countdown of /redirect in ms (docs/product.md, Constants). */
export const countdownDuration = 4000;

/** Update interval of the displayed time, in ms. */
const refreshInterval = 100;

type RedirectState = 'counting' | 'stopped' | 'leaving';

const afterToggle = { counting: 'stopped', stopped: 'counting', leaving: 'leaving' } as const;

/**
 * State and actions of /redirect (docs/product.md, Redirect). Every navigation from it replaces its history entry: going
 * back must not start the countdown again.
 *
 * @param url the target; `undefined` while the page's own URL is not known, `null` if that names none
 */
export function useRedirect(url: WebUrl | null | undefined) {
  const [state, setState] = useState<RedirectState>('counting');
  const [passed, setPassed] = useState(0);
  const target = url?.href;

  useEffect(() => {
    if (url === null) navigate('/', { replace: true });
  }, [url]);

  useEffect(() => {
    if (target === undefined || state !== 'counting') return;
    const start = Date.now();
    setPassed(0);
    const refreshing = setInterval(() => setPassed(Math.min(Date.now() - start, countdownDuration)), refreshInterval);
    const ending = setTimeout(() => {
      setPassed(countdownDuration);
      setState('leaving');
      // Browsers let a timer open a tab only shortly after a press on the page; if blocked, the next page has a link.
      leave(openInNewTab(target) ? {} : { blockedUrl: target });
    }, countdownDuration);
    return () => {
      clearInterval(refreshing);
      clearTimeout(ending);
    };
  }, [target, state]);

  return {
    state,
    /** Time in ms since the countdown began. */
    passed,
    /** Stops or restarts the countdown; no effect once the website opens. */
    toggle: () => setState((before) => afterToggle[before]),
    /** Called for a press on a link that opens the target itself: the page must not leave before that. */
    follow() {
      if (!url) return;
      setState('leaving');
      setTimeout(() => leave({}));
    },
  };
}

function leave(state: BlockedTabsState): void {
  navigate('/thank-you', { replace: true, state });
}
