import { pathOf, waitlistCalls } from '@daybook/contract/api';
import type { OfferId } from '@daybook/contract/site';
import { apiRequest, navigate, useSiteSettings } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { useRef, useState } from 'react';
import { type BlockedTabsState, openInNewTab } from '../new-tab.ts';
import { offers, rememberOffersAnswered } from '../offers.ts';
import { thankYouAddress, type Visitor } from '../visitor.ts';

type PickerState = 'choosing' | 'nothing-chosen' | 'proceeding' | 'declining';

export interface RegisteredVisitor extends Visitor {
  readonly id: number;
}

/**
 * State and actions of the offer picker (docs/product.md, Offer selection).
 *
 * @param visitor owner of the registration; while it is unknown, offers can only be checked
 */
export function useOfferPicker(visitor: RegisteredVisitor | undefined) {
  const { sponsorAddresses } = useSiteSettings();
  const choices = useRef<HTMLFieldSetElement>(null);
  const [state, setState] = useState<PickerState>('choosing');
  /** A ref, because a fast second press comes before the next render. */
  const leaving = useRef(false);

  async function leave(visitor: RegisteredVisitor, selectedOffers: readonly OfferId[]) {
    leaving.current = true;
    // Before anything is awaited: browsers open tabs only within the press.
    const blockedOffers = selectedOffers.filter((id) => !openInNewTab(sponsorAddresses[id]));
    setState(selectedOffers.length === 0 ? 'declining' : 'proceeding');
    rememberOffersAnswered(visitor.id);
    await saveOffers(visitor.id, selectedOffers);
    // Without the fieldset the visitor has left the page meanwhile, and must not be navigated.
    if (!choices.current) return;
    navigate(thankYouAddress(visitor), { state: { blockedOffers } satisfies BlockedTabsState });
  }

  return {
    /** For the fieldset of the checkboxes, which contain the selection. */
    choices,
    state,
    choose() {
      if (!leaving.current) setState('choosing');
    },
    proceed() {
      if (!visitor || leaving.current) return;
      const isTicked = (id: OfferId) => choices.current?.querySelector(`[value='${id}']:checked`) != null;
      const chosen = offers.map(({ id }) => id).filter(isTicked);
      if (chosen.length === 0) setState('nothing-chosen');
      else void leave(visitor, chosen);
    },
    decline() {
      if (visitor && !leaving.current) void leave(visitor, []);
    },
  };
}

/**
 * Maximum delay in ms of the navigation to the thank-you page for saving the selection. The navigation does not abort
 * the request; the delay makes it likely that the completion notice of the thank-you page arrives after the selection
 * that it completes.
 */
const saveWaitLimit = 2000;

/**
 * Saves the selected offers. Settles when they are saved, when that failed, which is only logged (docs/product.md, Offer
 * selection), or after `saveWaitLimit`, whichever is first; never rejects.
 */
async function saveOffers(id: number, selectedOffers: readonly OfferId[]): Promise<void> {
  const { method } = waitlistCalls.selectOffers;
  const saved = apiRequest(method, pathOf(waitlistCalls.selectOffers, { id }), { selectedOffers }).catch(
    (error: unknown) => {
      log('error', 'The chosen offers could not be saved:', error);
    },
  );
  await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, saveWaitLimit))]);
}
