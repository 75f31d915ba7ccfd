import * as z from 'zod/mini';
import { offerIds } from '../site.ts';
import type { ApiCall } from './call.ts';
import { callUrls, lastStep, waitlistEntryIdLimit } from './calls.ts';
import { emailSchema, isStorable, signupEmailSchema } from './fields.ts';

const wholeNumber = (what: string, max: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,15}$/, `${what} must be a whole number`)), z.transform(Number)),
    z.int().check(z.minimum(1, `${what} must be at least 1`), z.maximum(max, `${what} must be at most ${max}`)),
  );

export const waitlistEntryIdSchema = wholeNumber('id', waitlistEntryIdLimit - 1);
export const stepSchema = wholeNumber('step', lastStep);

const signupSchema = z.object({
  email: signupEmailSchema,
  /** The honeypot, a field that people cannot see and bots fill in. */
  topic: z.optional(z.string()),
});
export type Signup = z.infer<typeof signupSchema>;

const waitlistEntrySchema = z.object({ id: z.int(), email: z.string() });
export type WaitlistEntry = z.infer<typeof waitlistEntrySchema>;

const waitlistEntryResponseSchema = z.object({ entry: waitlistEntrySchema });
export type WaitlistEntryResponse = z.infer<typeof waitlistEntryResponseSchema>;

/** Without the email, because the id may be a guess. */
const entryIdResponseSchema = z.object({ entry: z.object({ id: z.int() }) });

const nameSchema = (what: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(2, `${what} must be at least 2 characters.`),
      z.maxLength(100, `${what} must be at most 100 characters.`),
      isStorable,
    );

/** The body of a call that no page uses (docs/product.md, Calls). */
export const informationSchema = z.object({
  firstName: nameSchema('First name'),
  lastName: nameSchema('Last name'),
  zipCode: z
    .string()
    .check(
      z.trim(),
      z.minLength(5, 'Please enter a valid ZIP code.'),
      z.maxLength(10, 'Please enter a valid ZIP code.'),
      isStorable,
    ),
});
export type Information = z.infer<typeof informationSchema>;

export const offerSelectionSchema = z.object({
  selectedOffers: z.array(z.enum(offerIds, `must be one of ${offerIds.join(', ')}`)).check(
    z.maxLength(offerIds.length, `selectedOffers has at most ${offerIds.length} offers`),
    z.refine((ids) => new Set(ids).size === ids.length, 'selectedOffers must not contain duplicates'),
  ),
});
export type OfferSelection = z.infer<typeof offerSelectionSchema>;

const sourceSchema = z
  .string()
  .check(z.minLength(1, 'source must not be empty'), z.maxLength(100, 'source has at most 100 characters'), isStorable);
const timestampSchema = z.iso.datetime({ offset: true, error: 'timestamp must be an ISO 8601 date and time' });

export const completionNoticeSchema = z.object({
  source: sourceSchema,
  timestamp: timestampSchema,
  forceSend: z.literal(true, 'forceSend must be true'),
});
export type CompletionNotice = z.infer<typeof completionNoticeSchema>;

export const emergencyNoticeSchema = z.object({
  email: emailSchema,
  source: sourceSchema,
  timestamp: timestampSchema,
});
export type EmergencyNotice = z.infer<typeof emergencyNoticeSchema>;

const acknowledged = {
  status: 200,
  body: z.object({ success: z.literal(true) }),
  description: 'Accepted; idempotent',
} as const;
const badRequest = {
  400: 'The request is invalid; the message names the reason',
  429: 'Rate limit exceeded; Retry-After contains the seconds until a retry',
} as const;
const entryChange = {
  parameters: { id: waitlistEntryIdSchema },
  success: { status: 200, body: entryIdResponseSchema, description: 'Stored; never contains the email' },
  errorResponses: { ...badRequest, 404: 'No entry has this id' },
} as const;

/** Every call of docs/product.md (Calls). */
export const waitlistCalls = {
  signUp: {
    ...callUrls.signUp,
    summary: 'Sign up with an email',
    body: signupSchema,
    success: {
      status: 201,
      body: waitlistEntryResponseSchema,
      description: 'Stored; the same response whether the email was known or not',
    },
    errorResponses: {
      ...badRequest,
      503: 'Not available; Retry-After contains the seconds until a retry',
    },
  },
  findByEmail: {
    ...callUrls.findByEmail,
    summary: 'The entry of an email, for the browser that signed up with it',
    query: { email: emailSchema },
    success: { status: 200, body: waitlistEntryResponseSchema, description: 'The entry' },
    errorResponses: { ...badRequest, 404: 'This browser did not sign up with this email' },
  },
  setStep: {
    ...callUrls.setStep,
    ...entryChange,
    summary: 'Set the step of an entry',
    parameters: { ...entryChange.parameters, step: stepSchema },
  },
  complete: {
    ...callUrls.complete,
    ...entryChange,
    summary: 'Mark an entry complete',
  },
  updateInformation: {
    ...callUrls.updateInformation,
    ...entryChange,
    summary: 'Store name and ZIP code',
    messages: { success: 'Information Saved!', failure: 'Failed to save your information. Please try again.' },
    body: informationSchema,
  },
  selectOffers: {
    ...callUrls.selectOffers,
    ...entryChange,
    summary: 'Save the chosen offers',
    body: offerSelectionSchema,
  },
  updateClientInfo: {
    ...callUrls.updateClientInfo,
    ...entryChange,
    summary: 'Store user agent, language and truncated network address of this request',
  },
  notifyComplete: {
    ...callUrls.notifyComplete,
    ...entryChange,
    summary: 'Report that the visitor reached the thank-you page',
    body: completionNoticeSchema,
    success: acknowledged,
  },
  sendEmergencyNotice: {
    ...callUrls.sendEmergencyNotice,
    summary: 'Report an email whose entry could not be found',
    body: emergencyNoticeSchema,
    success: acknowledged,
    errorResponses: badRequest,
  },
} as const satisfies Record<string, ApiCall>;
