import { callUrls, pathOf } from '@daybook/contract/calls';
import { apiRequest, navigate, useSiteSettings } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { useRef, useState } from 'react';
import { type BlockedTabsState, openInNewTab } from './new-tab.ts';
import { availableOffers, type Offer, rememberOffersAnswered } from './offers.ts';
import { thankYouUrl, type Visitor } from './visitor.ts';

export interface RegisteredVisitor extends Visitor {
  readonly id: number;
}

/**
 * State and actions of the offer picker (docs/product.md, Offer selection).
 *
 * @param visitor while it is unknown, offers can only be checked
 */
export function useOfferPicker(visitor: RegisteredVisitor | undefined) {
  const available = availableOffers(useSiteSettings());
  const choices = useRef<HTMLFieldSetElement>(null);
  const [state, setState] = useState<'choosing' | 'nothing-chosen' | 'proceeding' | 'declining'>('choosing');
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
    // Without the fieldset the visitor has left the page meanwhile.
    if (!choices.current) return;
    // A visitor who declined loses nothing.
    const areUnsaved = !isSaved && selected.length > 0;
    const state: BlockedTabsState = { blockedOffers, ...(areUnsaved && { areOffersUnsaved: true }) };
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

/** In ms. Waiting makes it likely that the thank-you page's completion notice arrives after the selection. */
const saveWaitLimit = 3000;

/** Returns `false` if saving the offers failed, which is logged; never rejects, and settles within `saveWaitLimit`. */
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
