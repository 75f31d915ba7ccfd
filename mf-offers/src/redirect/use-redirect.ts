import { navigate } from '@daybook/platform';
import { useEffect, useEffectEvent, useState } from 'react';
import { type BlockedTabsState, openInNewTab, type WebAddress } from '../new-tab.ts';

/** Length of the countdown of /redirect in ms (docs/product.md, Constants). */
export const countdownDuration = 4000;

type RedirectState = 'waiting' | 'counting' | 'stopped' | 'leaving';

const afterToggle = { counting: 'stopped', stopped: 'counting', leaving: 'leaving' } as const;

/**
 * State and actions of /redirect (docs/product.md, Flows). Every navigation from it replaces its history entry: going
 * back must not start the countdown again.
 *
 * @param address the target; `undefined` while the page's own address is not known, `null` if it names none
 */
export function useRedirect(address: WebAddress | null | undefined) {
  const [choice, setChoice] = useState<'counting' | 'stopped' | 'leaving'>('counting');
  const state: RedirectState = address ? choice : 'waiting';

  useEffect(() => {
    if (address === null) navigate('/', { replace: true });
  }, [address]);

  const passed = useCountdown(state === 'counting' ? address?.href : undefined, () => {
    if (!address) return;
    setChoice('leaving');
    // Browsers let a timer open a tab only shortly after a press on the page; if blocked, the next page has a link.
    const opened = openInNewTab(address.href);
    leave(opened ? {} : { blockedAddress: address.href });
  });

  return {
    state,
    passed,
    /** Stops or restarts the countdown; no effect once the website opens. */
    toggle: () => setChoice((before) => afterToggle[before]),
    /** Called for a press on a link that opens the address itself: the page must not leave before that. */
    follow() {
      if (!address) return;
      setChoice('leaving');
      setTimeout(() => leave({}));
    },
  };
}

function leave(state: BlockedTabsState): void {
  navigate('/thank-you', { replace: true, state });
}

/** Update interval of the displayed time, in ms. */
const refreshInterval = 100;

/**
 * Counts down while there is a target, from the start for each one, and calls `onEnd` once at the end.
 *
 * @returns the elapsed time in ms
 */
function useCountdown(target: string | undefined, onEnd: () => void): number {
  const [passed, setPassed] = useState(0);
  const end = useEffectEvent(onEnd);

  useEffect(() => {
    if (target === undefined) return;
    const start = Date.now();
    setPassed(0);
    const refreshing = setInterval(() => setPassed(Math.min(Date.now() - start, countdownDuration)), refreshInterval);
    const ending = setTimeout(() => {
      clearInterval(refreshing);
      setPassed(countdownDuration);
      end();
    }, countdownDuration);
    return () => {
      clearInterval(refreshing);
      clearTimeout(ending);
    };
  }, [target]);

  return passed;
}
