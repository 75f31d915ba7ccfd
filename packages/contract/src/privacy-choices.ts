import * as z from 'zod/mini';

/** What a visitor can ask for on /privacy-rights-request (product document, section 3). */
export const privacyRightsRequestTypes = ['access', 'delete', 'correct', 'portability', 'restrict', 'object'] as const;

export const privacyRightsRequestTypeSchema = z.enum(privacyRightsRequestTypes);
export type PrivacyRightsRequestType = z.infer<typeof privacyRightsRequestTypeSchema>;

/** The categories of sensitive information on /limit-sensitive-info (product document, section 3). */
export const sensitiveCategories = ['financial', 'health', 'location', 'demographic', 'biometric', 'browsing'] as const;

export const sensitiveCategorySchema = z.enum(sensitiveCategories);
export type SensitiveCategory = z.infer<typeof sensitiveCategorySchema>;
