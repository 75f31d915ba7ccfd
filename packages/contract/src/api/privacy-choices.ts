// Without schemas: the privacy pages do not bundle zod.

/** The privacy choices, named like the paths of their pages. */
export const privacyRequestKinds = [
  'unsubscribe',
  'ca-unsubscribe',
  'privacy-rights-request',
  'profiling-opt-out',
  'targeted-opt-out',
  'limit-sensitive-info',
] as const;
export type PrivacyRequestKind = (typeof privacyRequestKinds)[number];

export const privacyRightsRequestTypes = ['access', 'delete', 'correct', 'portability', 'restrict', 'object'] as const;
export type PrivacyRightsRequestType = (typeof privacyRightsRequestTypes)[number];

export const sensitiveCategories = ['financial', 'health', 'location', 'demographic', 'biometric', 'browsing'] as const;
export type SensitiveCategory = (typeof sensitiveCategories)[number];

export const tooLongMessages = {
  name: 'Your name can have at most 200 characters.',
  comments: 'Additional comments are too long: 10,000 English letters fit, fewer in other scripts.',
} as const;

export const isTooLong: Readonly<Record<keyof typeof tooLongMessages, (text: string) => boolean>> = {
  name: (text) => [...text].length > 200,
  // In bytes: a character takes up to four in the database.
  comments: (text) => new Blob([text]).size > 10_000,
};
