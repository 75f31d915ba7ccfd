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

/** The request types of /privacy-rights-request (docs/product.md, Privacy choices). */
export const privacyRightsRequestTypes = ['access', 'delete', 'correct', 'portability', 'restrict', 'object'] as const;
export type PrivacyRightsRequestType = (typeof privacyRightsRequestTypes)[number];

/** The categories of sensitive information on /limit-sensitive-info (docs/product.md, Privacy choices). */
export const sensitiveCategories = ['financial', 'health', 'location', 'demographic', 'biometric', 'browsing'] as const;
export type SensitiveCategory = (typeof sensitiveCategories)[number];

/** Message for a text of the privacy forms that is too long, in the form and in the API's error response. */
export const tooLongMessages = {
  name: 'Your name can have at most 200 characters.',
  comments: 'Additional comments are too long: 10,000 English letters fit, fewer in other scripts.',
} as const;

/** Returns whether a text exceeds the maximum length of its field. */
export const isTooLong: Readonly<Record<keyof typeof tooLongMessages, (text: string) => boolean>> = {
  name: (text) => [...text].length > 200,
  // In bytes, which are what a text takes in the database: a character takes up to four.
  comments: (text) => new Blob([text]).size > 10_000,
};
