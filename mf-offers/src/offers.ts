import { defaultSiteSettings, type OfferId, offerIds, type SiteSettings } from '@daybook/contract/site';
import { log } from '@daybook/platform/log';

interface OfferContent {
  readonly title: string;
  readonly description: string;
  readonly sponsor: string;
  /** The data of an SVG path, on a grid of 48. */
  readonly drawing: string;
}

export interface Offer extends OfferContent {
  readonly id: OfferId;
  readonly priority: number;
  /** The sponsor's default, which the site may have replaced: see `availableOffers`. */
  readonly url: string;
}

const contents: Readonly<Record<OfferId, OfferContent>> = {
  grocery: {
    title: 'Free food benefits guide',
    description: 'See which grocery and food benefit programs you may qualify for, and how to apply.',
    sponsor: 'Food Benefits Guide',
    drawing: 'M8 19h32l-4 20H12zM15 19l7-11M33 19l-7-11M18 26v7M24 26v7M30 26v7',
  },
  vivint: {
    title: 'Save $150 on home security',
    description: 'Take $150 off a home security system that watches your home day and night.',
    sponsor: 'Vivint',
    drawing: 'M7 23 24 9l17 14M12 20v19h24V20M24 23l7 3v4c0 4-3 7-7 8-4-1-7-4-7-8v-4z',
  },
  audien: {
    title: 'Free hearing test, and save $799',
    description: 'Have your hearing checked at no cost, and save $799 if you decide on hearing aids.',
    sponsor: 'Audien',
    drawing: 'M15 20a10 10 0 1 1 20 1c0 7-6 8-7 13-1 4-4 6-7 5M20 20a5 5 0 1 1 9 3c-2 2-4 3-3 6M9 13c-2 5-2 10 0 15',
  },
  tmobile: {
    title: 'Free $200 gift card with internet',
    description: 'Start a home internet plan, and get a $200 gift card.',
    sponsor: 'T-Mobile',
    drawing: 'M7 18h34v22H7zM7 26h34M24 18v22M24 18c-8 0-12-4-9-8s9 2 9 8c0-6 6-12 9-8s-1 8-9 8',
  },
};

export const offers: readonly Offer[] = offerIds.map((id, index) => ({
  id,
  priority: index + 1,
  url: defaultSiteSettings.sponsorAddresses[id],
  ...contents[id],
}));

/** Returns the offers whose sponsor's URL the site knows; a shell that is older than a new offer knows none. */
export function availableOffers({ sponsorAddresses }: SiteSettings): readonly Offer[] {
  return offers.flatMap((offer) => {
    const url = sponsorAddresses[offer.id];
    return url ? [{ ...offer, url }] : [];
  });
}

const sessionStorageKey = 'answeredOffersOf';

/** Stores for this browser session that the visitor picked offers or declined: the thank-you page doesn't offer them again. */
export function rememberOffersAnswered(id: number): void {
  try {
    sessionStorage.setItem(sessionStorageKey, String(id));
  } catch (error) {
    log('warn', 'The answer to the offers could not be stored in the browser:', error);
  }
}

export function wereOffersAnswered(id: number): boolean {
  try {
    return sessionStorage.getItem(sessionStorageKey) === String(id);
  } catch {
    return false;
  }
}
