import { navigate } from '@daybook/platform';
import { useEffect, useState } from 'react';
import { type BlockedTabsState, openInNewTab, type WebUrl } from './new-tab.ts';

/** In ms (docs/product.md, Constants). */
export const countdownDuration = 4000;

const refreshInterval = 100;

const afterToggle = { counting: 'stopped', stopped: 'counting', leaving: 'leaving' } as const;

/**
 * State and actions of /redirect (docs/product.md, Redirect).
 *
 * @param url `undefined` while the page's own URL is not known, `null` if that names none
 */
export function useRedirect(url: WebUrl | null | undefined) {
  const [state, setState] = useState<keyof typeof afterToggle>('counting');
  const [passed, setPassed] = useState(0);
  const target = url?.href;

  useEffect(() => {
    if (url === null) navigate('/', { replace: true });
  }, [url]);

  useEffect(() => {
    if (target === undefined || state !== 'counting') return;
    const start = performance.now();
    setPassed(0);
    const refresh = () => setPassed(Math.min(performance.now() - start, countdownDuration));
    const refreshing = setInterval(refresh, refreshInterval);
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
    passed,
    toggle: () => setState((before) => afterToggle[before]),
    /** For a press on a link that opens the target itself: the page must not leave before that. */
    follow() {
      if (!url) return;
      setState('leaving');
      setTimeout(() => leave({}));
    },
  };
}

/** Replaces the history entry: Back must not start the countdown again. */
function leave(state: BlockedTabsState): void {
  navigate('/thank-you', { replace: true, state });
}
