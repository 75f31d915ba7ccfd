import { type OfferId, offerIds } from '@daybook/contract';

/**
 * What the offer picker hands over to the thank-you page: the offers whose tab the browser held back. It
 * travels in the history entry and not in the address, so it survives a reload and is never shared.
 */
export interface BlockedOffersState {
  readonly blockedOffers: readonly OfferId[];
}

/** The blocked offers in a history entry's state, or `undefined` where the visitor did not come from the picker. */
export function readBlockedOffers(state: unknown): readonly OfferId[] | undefined {
  const blocked = (state as Partial<Record<keyof BlockedOffersState, unknown>> | null | undefined)?.blockedOffers;
  return Array.isArray(blocked) ? offerIds.filter((id) => blocked.includes(id)) : undefined;
}
