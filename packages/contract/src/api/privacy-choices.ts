// Without schemas: the privacy pages do not bundle zod.

/** The privacy choices, named like the paths of their pages (docs/product.md, Pages). */
export const privacyRequestKinds = [
  'unsubscribe',
  'ca-unsubscribe',
  'privacy-rights-request',
  'profiling-opt-out',
  'targeted-opt-out',
  'limit-sensitive-info',
] as const;
export type PrivacyRequestKind = (typeof privacyRequestKinds)[number];

/** The request types of /privacy-rights-request (docs/product.md, Offers). */
export const privacyRightsRequestTypes = ['access', 'delete', 'correct', 'portability', 'restrict', 'object'] as const;
export type PrivacyRightsRequestType = (typeof privacyRightsRequestTypes)[number];

/** The categories of sensitive information on /limit-sensitive-info (docs/product.md, Offers). */
export const sensitiveCategories = ['financial', 'health', 'location', 'demographic', 'biometric', 'browsing'] as const;
export type SensitiveCategory = (typeof sensitiveCategories)[number];

/** Maximum lengths of the fields of the privacy forms, in characters. */
export const privacyRequestLimits = { name: 200, comments: 5_000 } as const;

/** Message for a value that exceeds its limit, in the form and in the API's error response. */
export const tooLongMessages = {
  name: 'Your name can have at most 200 characters.',
  comments: 'Additional comments can have at most 5,000 characters.',
} as const satisfies Record<keyof typeof privacyRequestLimits, string>;
