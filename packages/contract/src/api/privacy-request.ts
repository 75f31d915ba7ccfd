import * as z from 'zod/mini';
import { type ApiCall, apiBodyLimit } from './call.ts';
import { callUrls } from './calls.ts';
import { emailSchema, isStorable } from './fields.ts';
import {
  isTooLong,
  type PrivacyRequestKind,
  privacyRequestKinds,
  privacyRightsRequestTypes,
  sensitiveCategories,
  tooLongMessages,
} from './privacy-choices.ts';
import { waitlistCalls } from './waitlist.ts';

const text = (name: keyof typeof tooLongMessages) =>
  z.string().check(
    z.trim(),
    z.refine((text) => !isTooLong[name](text), tooLongMessages[name]),
    isStorable,
  );

const fieldsSchemas = {
  emailOnly: z.object({}),
  privacyRights: z.object({
    name: text('name').check(z.minLength(1, 'Please enter your full name.')),
    requestType: z.enum(privacyRightsRequestTypes),
    comments: z._default(text('comments'), ''),
  }),
  limitSensitive: z.object({
    categoriesToLimit: z.array(z.enum(sensitiveCategories)).check(
      z.minLength(1, 'Please select at least one category of sensitive information.'),
      z.maxLength(sensitiveCategories.length, `categoriesToLimit has at most ${sensitiveCategories.length} categories`),
      z.refine(
        (categories) => new Set(categories).size === categories.length,
        'categoriesToLimit must not contain duplicates',
      ),
      // Equal selections are one request.
      z.overwrite((categories) => categories.toSorted()),
    ),
  }),
} as const;

const common = {
  email: emailSchema,
  /** The release that the visitor saw, such as `mf-privacy@1.0.0-3f9ac2d1`. */
  pageVersion: z
    .string()
    .check(
      z.regex(
        /^[a-z][a-z0-9-]{0,39}@[0-9A-Za-z.+-]{1,59}$/,
        'pageVersion must be a release such as mf-privacy@1.0.0-3f9ac2d1',
      ),
    ),
} as const;

const withEmailOnly = <Kind extends PrivacyRequestKind>(kind: Kind) =>
  z.object({ kind: z.literal(kind), ...common, fields: z._default(fieldsSchemas.emailOnly, {}) });

export const privacyRequestSchema = z.discriminatedUnion(
  'kind',
  [
    withEmailOnly('unsubscribe'),
    withEmailOnly('ca-unsubscribe'),
    z.object({ kind: z.literal('privacy-rights-request'), ...common, fields: fieldsSchemas.privacyRights }),
    withEmailOnly('profiling-opt-out'),
    withEmailOnly('targeted-opt-out'),
    z.object({ kind: z.literal('limit-sensitive-info'), ...common, fields: fieldsSchemas.limitSensitive }),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union' ? `kind must be one of ${privacyRequestKinds.join(', ')}` : undefined,
  },
);
export type PrivacyRequest = z.infer<typeof privacyRequestSchema>;

export const privacyRequestFieldsSchema = z.union([
  fieldsSchemas.privacyRights,
  fieldsSchemas.limitSensitive,
  fieldsSchemas.emailOnly,
]);

/** 60 random bits in Crockford's base 32. */
export const referenceNumberSchema = z
  .string()
  .check(z.regex(/^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2}$/, 'must have the form K7QM-3XTA-9VD2'));

export const privacyRequestResponseSchema = z.object({
  reference: referenceNumberSchema,
  dueAt: z.iso.datetime(),
});
export type PrivacyRequestResponse = z.infer<typeof privacyRequestResponseSchema>;

export const makePrivacyRequest = {
  ...callUrls.makePrivacyRequest,
  summary: 'Make a privacy request',
  body: privacyRequestSchema,
  // Comments of 10,000 bytes take up to 30,000 where JSON escapes every letter.
  bodyLimit: apiBodyLimit,
  success: {
    status: 201,
    body: privacyRequestResponseSchema,
    description: 'Stored, or open already; the same response whether the email is known or not',
  },
  errorResponses: {
    400: 'The request is invalid; the message names the reason',
    404: 'This site does not record privacy requests (PRIVACY_REQUESTS)',
    429: 'Rate limit exceeded; Retry-After contains the seconds until a retry',
  },
} as const satisfies ApiCall;

export const apiCalls = { ...waitlistCalls, makePrivacyRequest } as const satisfies Record<string, ApiCall>;
