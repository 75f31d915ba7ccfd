import type { SiteSettings } from './site-settings.ts';

/** The publication: the one place for its name and contact details. Mailboxes that an operator may change are in `SiteSettings`. */
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

/** Settings used where the operator sets none. */
export const defaultSiteSettings = {
  supportAddress: 'support@daybook.example',
  sponsorAddresses: {
    grocery: 'https://sponsors.daybook.example/food-benefits-guide',
    vivint: 'https://sponsors.daybook.example/home-security',
    audien: 'https://sponsors.daybook.example/hearing-test',
    tmobile: 'https://sponsors.daybook.example/home-internet',
  },
  housingGuideAddress: 'https://sponsors.daybook.example/housing-guide',
  privacyRequests: 'simulate',
} as const satisfies SiteSettings;
