// Without schemas: every page contains the site's name.
import type { PageRoute } from './release/release.ts';

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

/** The bonus offers in order of priority, with the default URLs of their sponsors. `mf-offers/src/offers.ts` has the texts. */
const bonusOffers = {
  grocery: 'https://sponsors.daybook.example/food-benefits-guide',
  vivint: 'https://sponsors.daybook.example/home-security',
  audien: 'https://sponsors.daybook.example/hearing-test',
  tmobile: 'https://sponsors.daybook.example/home-internet',
} as const;
export type OfferId = keyof typeof bonusOffers;
export const offerIds = Object.keys(bonusOffers) as readonly OfferId[];

/** Settings of an operator that pages show, and the year. */
export interface SiteSettings {
  readonly supportAddress: string;
  /** One for each bonus offer. The shell may be older than the remote that reads it, and lack the URL of a new offer. */
  readonly sponsorAddresses: Readonly<Partial<Record<OfferId, string>>>;
  readonly housingGuideAddress: string;
  /** `record` if the privacy pages send requests to be stored, `simulate` if not (docs/product.md, Privacy choices). */
  readonly privacyRequests: 'simulate' | 'record';
  /** The year (UTC) when the server composed the page; absent in pages of earlier servers. */
  readonly year?: string;
}

export const defaultSiteSettings = {
  supportAddress: 'support@daybook.example',
  sponsorAddresses: bonusOffers,
  housingGuideAddress: 'https://sponsors.daybook.example/housing-guide',
  privacyRequests: 'simulate',
} as const satisfies SiteSettings;

/** Returns the document title of a route or of an unknown path. */
export function pageTitle(route: Pick<PageRoute, 'path' | 'title'> | undefined): string {
  if (!route) return `404 Page Not Found | ${site.name}`;
  return route.path === '/' ? `${site.name}: ${route.title}` : `${route.title} | ${site.name}`;
}
