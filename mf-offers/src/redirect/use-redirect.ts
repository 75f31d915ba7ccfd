import { navigate } from '@daybook/platform';
import { useEffect, useState } from 'react';
import type { BlockedTabsState } from '../new-tab/blocked-tabs-state.ts';
import { openInNewTab } from '../new-tab/open-in-new-tab.ts';
import type { WebAddress } from '../new-tab/web-address.ts';
import { countdownDuration } from './redirect-copy.ts';
import { useCountdown } from './use-countdown.ts';

export type RedirectState = 'waiting' | 'counting' | 'stopped' | 'leaving';

const afterToggle = { counting: 'stopped', stopped: 'counting', leaving: 'leaving' } as const;

/**
 * What /redirect does (product document, section 4). Wherever it leads, it takes its own place in the history:
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

  const passed = useCountdown(countdownDuration, state === 'counting', () => {
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
