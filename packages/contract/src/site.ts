// Without schemas: every page contains the site's name.
import type { PageRoute } from './release/release.ts';

/**
 * The publication: the single source of its name and contact details. Mailboxes that an operator can change are in
 * `SiteSettings`.
 */
export const site = {
  name: 'Daybook',
  tagline: 'The money morning, in five minutes',
  description:
    'Daybook is a free daily finance newsletter: market trends, saving strategies, investment insights, retirement planning and financial news, in five minutes each morning.',
  publisher: 'Daybook Publishing Co.',
  postalAddress: ['Daybook Publishing Co.', '48 Harbor Street, Suite 300', 'Portland, ME 04101'],
  /** The sister brand aimed at seniors, which publishes the downloadable guide. */
  sisterBrand: 'Daybook Silver',
  locale: 'en_US',
} as const;

/**
 * The bonus offers in order of priority (docs/product.md, Offers), each with the default URL of its sponsor: the
 * single list of them. Setting, schemas, placeholders and API are derived from it; `mf-offers/src/offers.ts` has the texts.
 */
const bonusOffers = {
  grocery: 'https://sponsors.daybook.example/food-benefits-guide',
  vivint: 'https://sponsors.daybook.example/home-security',
  audien: 'https://sponsors.daybook.example/hearing-test',
  tmobile: 'https://sponsors.daybook.example/home-internet',
} as const;
export type OfferId = keyof typeof bonusOffers;
export const offerIds = Object.keys(bonusOffers) as readonly OfferId[];

/**
 * Values that pages show and no build knows: settings that an operator can change, which the server reads from its
 * environment, and the year. The page contains them as JSON.
 */
export interface SiteSettings {
  /** Mailbox that the legal and privacy pages name as support. */
  readonly supportAddress: string;
  /**
   * Target of each bonus offer; opened in a new tab. The shell may be older than the remote that reads it, and lack the
   * URL of a new offer.
   */
  readonly sponsorAddresses: Readonly<Partial<Record<OfferId, string>>>;
  /** The bonus housing guide of the senior guide page; opened in a new tab. */
  readonly housingGuideAddress: string;
  /** `record` if the privacy pages send requests to be stored, `simulate` if not (docs/product.md, Privacy choices). */
  readonly privacyRequests: 'simulate' | 'record';
  /** The year (UTC) when the server composed the page; absent in pages of earlier servers. */
  readonly year?: string;
}

/** Defaults for settings that the operator does not set. */
export const defaultSiteSettings = {
  supportAddress: 'support@daybook.example',
  sponsorAddresses: bonusOffers,
  housingGuideAddress: 'https://sponsors.daybook.example/housing-guide',
  privacyRequests: 'simulate',
} as const satisfies SiteSettings;

/** Returns the document title of a route or of an unknown path; identical on the server and after a navigation. */
export function pageTitle(route: Pick<PageRoute, 'path' | 'title'> | undefined): string {
  if (!route) return `404 Page Not Found | ${site.name}`;
  return route.path === '/' ? `${site.name}: ${route.title}` : `${route.title} | ${site.name}`;
}
