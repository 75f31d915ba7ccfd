import { type OfferId, offerIds } from '@daybook/contract';
import { parseWebAddress, type WebAddress } from './web-address.ts';

/**
 * What a page hands over to the thank-you page when the browser held back tabs. It travels in the history entry
 * and not in the address, so it survives a reload, is never shared, and no link can put an address there.
 */
export interface BlockedTabsState {
  /** From the offer picker: the chosen offers that did not open, none where all did. */
  readonly blockedOffers?: readonly OfferId[];
  /** From /redirect: the address that did not open. */
  readonly blockedAddress?: string;
}

export interface BlockedTabs {
  /** `undefined` where the visitor did not come from the offer picker. */
  readonly offers: readonly OfferId[] | undefined;
  readonly address: WebAddress | undefined;
}

/** Reads the blocked tabs from a history entry's state, which may be anything. */
export function readBlockedTabs(state: unknown): BlockedTabs {
  const { blockedOffers, blockedAddress } = (state ?? {}) as Partial<Record<keyof BlockedTabsState, unknown>>;
  return {
    offers: Array.isArray(blockedOffers) ? offerIds.filter((id) => blockedOffers.includes(id)) : undefined,
    address: parseWebAddress(blockedAddress),
  };
}
