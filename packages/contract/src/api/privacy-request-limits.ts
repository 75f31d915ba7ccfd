// Apart from the schemas: pages that need these alone carry no zod.

/** Longest answers of the privacy forms, in characters. */
export const privacyRequestLimits = { name: 200, comments: 5_000 } as const;

/** What a form says of an answer that is too long, and the API of one that no form sent. */
export const tooLongMessages = {
  name: 'Your name can have at most 200 characters.',
  comments: 'Additional comments can have at most 5,000 characters.',
} as const satisfies Record<keyof typeof privacyRequestLimits, string>;
