import * as z from 'zod';
import { offerIds } from './site.ts';

const webAddressSchema = z.url({ protocol: /^https?$/, error: 'must be an absolute http or https address' });

/** What an operator can set without a build: the server reads it from its environment, the page carries it as JSON. */
export const siteSettingsSchema = z.object({
  /** Mailbox that the legal and privacy pages name as support. */
  supportAddress: z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
  /** Where each bonus offer leads; opened in a new tab. */
  sponsorAddresses: z.record(z.enum(offerIds), webAddressSchema),
  /** The bonus housing guide of the senior guide page; opened in a new tab. */
  housingGuideAddress: webAddressSchema,
  /** Whether the privacy pages send a request to be stored, or only simulate that, as the product document says. */
  privacyRequests: z.enum(['simulate', 'record'], 'must be simulate or record'),
});
export type SiteSettings = z.infer<typeof siteSettingsSchema>;
