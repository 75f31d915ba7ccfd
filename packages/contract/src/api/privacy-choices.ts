// Without schemas: the privacy pages carry no zod.

/** The privacy choices, named as their pages' paths are (docs/product.md, Pages). */
export const privacyRequestKinds = [
  'unsubscribe',
  'ca-unsubscribe',
  'privacy-rights-request',
  'profiling-opt-out',
  'targeted-opt-out',
  'limit-sensitive-info',
] as const;
export type PrivacyRequestKind = (typeof privacyRequestKinds)[number];

/** What a visitor can ask for on /privacy-rights-request (docs/product.md, Offers). */
export const privacyRightsRequestTypes = ['access', 'delete', 'correct', 'portability', 'restrict', 'object'] as const;
export type PrivacyRightsRequestType = (typeof privacyRightsRequestTypes)[number];

/** The categories of sensitive information on /limit-sensitive-info (docs/product.md, Offers). */
export const sensitiveCategories = ['financial', 'health', 'location', 'demographic', 'biometric', 'browsing'] as const;
export type SensitiveCategory = (typeof sensitiveCategories)[number];

/** Longest answers of the privacy forms, in characters. */
export const privacyRequestLimits = { name: 200, comments: 5_000 } as const;

/** What a form says of an answer that is too long, and the API of one that no form sent. */
export const tooLongMessages = {
  name: 'Your name can have at most 200 characters.',
  comments: 'Additional comments can have at most 5,000 characters.',
} as const satisfies Record<keyof typeof privacyRequestLimits, string>;
