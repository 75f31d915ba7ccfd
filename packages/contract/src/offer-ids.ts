import * as z from 'zod/mini';

/** The four fixed bonus offers, in order of priority (product document, section 3). */
export const offerIds = ['grocery', 'vivint', 'audien', 'tmobile'] as const;

export const offerIdSchema = z.enum(offerIds, `must be one of ${offerIds.join(', ')}`);
export type OfferId = z.infer<typeof offerIdSchema>;
