import * as z from 'zod';
import { offerIds, type SiteSettings } from '../site.ts';

const webAddressSchema = z.url({ protocol: /^https?$/, error: 'must be an absolute http or https address' });

export const siteSettingsSchema = z.object({
  supportAddress: z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
  sponsorAddresses: z.record(z.enum(offerIds), webAddressSchema),
  housingGuideAddress: webAddressSchema,
  privacyRequests: z.enum(['simulate', 'record'], 'must be simulate or record'),
}) satisfies z.ZodType<SiteSettings>;
