import { callUrls, pathOf } from '@daybook/contract/calls';
import { apiRequest, navigate, useSiteSettings } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { useRef, useState } from 'react';
import { type AfterPicker, openInNewTab } from './new-tab.ts';
import { availableOffers, type Offer, rememberOffersAnswered } from './offers.ts';
import { thankYouUrl, type Visitor } from './visitor.ts';

type Step = 'choosing' | 'nothing-chosen' | 'proceeding' | 'declining';

export interface RegisteredVisitor extends Visitor {
  readonly id: number;
}

/**
 * State and actions of the offer picker (docs/product.md, Offer selection).
 *
 * @param visitor owner of the registration; while it is unknown, offers can only be checked
 */
export function useOfferPicker(visitor: RegisteredVisitor | undefined) {
  const available = availableOffers(useSiteSettings());
  const choices = useRef<HTMLFieldSetElement>(null);
  const [state, setState] = useState<Step>('choosing');
  /** A ref, because a fast second press comes before the next render. */
  const leaving = useRef(false);

  async function leave(visitor: RegisteredVisitor, selected: readonly Offer[]) {
    leaving.current = true;
    const saving = saveOffers(visitor.id, selected);
    // Before anything is awaited: browsers open tabs only within the press.
    const blockedOffers = selected.filter(({ url }) => !openInNewTab(url)).map(({ id }) => id);
    setState(selected.length === 0 ? 'declining' : 'proceeding');
    rememberOffersAnswered(visitor.id);
    const isSaved = await saving;
    // Without the fieldset the visitor has left the page meanwhile, and must not be navigated.
    if (!choices.current) return;
    // A visitor who declined loses nothing.
    const state: AfterPicker =
      isSaved || selected.length === 0 ? { blockedOffers } : { blockedOffers, areOffersUnsaved: true };
    navigate(thankYouUrl(visitor), { state });
  }

  return {
    /** For the fieldset of the checkboxes, which contain the selection. */
    choices,
    state,
    available,
    choose() {
      if (!leaving.current) setState('choosing');
    },
    proceed() {
      if (!visitor || leaving.current) return;
      const isTicked = ({ id }: Offer) => choices.current?.querySelector(`[value='${id}']:checked`) != null;
      const chosen = available.filter(isTicked);
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
const saveWaitLimit = 3000;

/**
 * Saves the selected offers. Settles when they are saved, when that failed, which is logged (docs/product.md, Offer
 * selection), or after `saveWaitLimit`, whichever is first; never rejects.
 *
 * @returns `false` if that failed
 */
async function saveOffers(id: number, selected: readonly Offer[]): Promise<boolean> {
  const call = callUrls.selectOffers;
  const body = { selectedOffers: selected.map((offer) => offer.id) };
  const saved = apiRequest(call.method, pathOf(call, { id }), body).then(
    () => true,
    (error: unknown) => {
      log('error', 'The chosen offers could not be saved:', error);
      return false;
    },
  );
  return Promise.race([saved, new Promise<boolean>((resolve) => setTimeout(resolve, saveWaitLimit, true))]);
}
