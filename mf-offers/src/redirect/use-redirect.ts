import { navigate } from '@daybook/platform';
import { useEffect, useEffectEvent, useState } from 'react';
import { type BlockedTabsState, openInNewTab, type WebAddress } from '../new-tab.ts';

/** How long the countdown of /redirect is, in ms (docs/product.md, Constants). */
export const countdownDuration = 4000;

type RedirectState = 'waiting' | 'counting' | 'stopped' | 'leaving';

const afterToggle = { counting: 'stopped', stopped: 'counting', leaving: 'leaving' } as const;

/**
 * What /redirect does (docs/product.md, Flows). Wherever it leads, it takes its own place in the history:
 * going back from there must not start the countdown again.
 *
 * @param address where to; `undefined` while the page's own address is not known, `null` where it names none
 */
export function useRedirect(address: WebAddress | null | undefined) {
  const [choice, setChoice] = useState<'counting' | 'stopped' | 'leaving'>('counting');
  const state: RedirectState = address ? choice : 'waiting';

  useEffect(() => {
    if (address === null) navigate('/', { replace: true });
  }, [address]);

  const passed = useCountdown(state === 'counting', () => {
    if (!address) return;
    setChoice('leaving');
    // A timer may open a tab only shortly after a press on the page; where it may not, the next page has a link.
    const opened = openInNewTab(address.href);
    leave(opened ? {} : { blockedAddress: address.href });
  });

  return {
    state,
    passed,
    /** Stops or restarts the countdown; once the website opens there is nothing to stop any more. */
    toggle: () => setChoice((before) => afterToggle[before]),
    /** For the press on a link that opens the address by itself: only once it has may its page go. */
    follow() {
      setChoice('leaving');
      setTimeout(() => leave({}));
    },
  };
}

function leave(state: BlockedTabsState): void {
  navigate('/thank-you', { replace: true, state });
}

/** How often, in ms, the time that has passed is brought up to date for the eye. */
const refreshInterval = 100;

/**
 * Counts down while `running`, from the start each time, and calls `onEnd` once at the end.
 *
 * @returns how much has passed, in ms
 */
function useCountdown(running: boolean, onEnd: () => void): number {
  const [passed, setPassed] = useState(0);
  const end = useEffectEvent(onEnd);

  useEffect(() => {
    if (!running) return;
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
  }, [running]);

  return passed;
}
