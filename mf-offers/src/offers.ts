import type { OfferId } from '@daybook/contract/site';
import { log } from '@daybook/platform/log';

/**
 * A bonus offer (docs/product.md, Offers). The operator sets its address: see `sponsorAddresses` of the site settings.
 */
interface Offer {
  readonly id: OfferId;
  readonly title: string;
  readonly description: string;
  readonly sponsor: string;
  /** Lower values are shown, and opened, first. */
  readonly priority: number;
}

/** The four fixed offers, by priority. */
export const offers: readonly Offer[] = [
  {
    id: 'grocery',
    title: 'Free food benefits guide',
    description: 'Learn which grocery and food benefit programs you may qualify for, and how to apply for them.',
    sponsor: 'Food Benefits Guide',
    priority: 1,
  },
  {
    id: 'vivint',
    title: 'Save $150 on home security',
    description: 'Take $150 off a home security system that keeps an eye on the house, day and night.',
    sponsor: 'Vivint',
    priority: 2,
  },
  {
    id: 'audien',
    title: 'Free hearing test, and save $799',
    description: 'Check your hearing at no cost, and save $799 should you decide on hearing aids.',
    sponsor: 'Audien',
    priority: 3,
  },
  {
    id: 'tmobile',
    title: 'Free $200 gift card with internet',
    description: 'Get a $200 gift card on top when you start a home internet plan.',
    sponsor: 'T-Mobile',
    priority: 4,
  },
];

const sessionStorageKey = 'answeredOffersOf';

/**
 * Stores for this browser session that the visitor picked offers or declined, so that the thank-you page does not offer
 * them again. If storage is forbidden it may repeat them, which is harmless.
 */
export function rememberOffersAnswered(id: number): void {
  try {
    sessionStorage.setItem(sessionStorageKey, String(id));
  } catch (error) {
    log('warn', 'The answer to the offers could not be stored in the browser:', error);
  }
}

/** Returns whether the visitor picked or declined the offers of this registration in this browser session. */
export function wereOffersAnswered(id: number): boolean {
  try {
    return sessionStorage.getItem(sessionStorageKey) === String(id);
  } catch {
    return false;
  }
}
