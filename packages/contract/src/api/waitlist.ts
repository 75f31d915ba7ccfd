import * as z from 'zod/mini';
import { offerIds } from '../site.ts';
import type { ApiCall } from './call.ts';
import { emailSchema, isStorable } from './fields.ts';

/** Entry ids are random and below 2^48: hard to guess, and exact in a JavaScript number. */
export const waitlistEntryIdLimit = 2 ** 48;

/** The last step of a registration; signing up is step 1 (docs/product.md, Calls). */
export const lastStep = 2;

const wholeNumber = (what: string, max: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,15}$/, `${what} must be a whole number`)), z.transform(Number)),
    z.int().check(z.minimum(1, `${what} must be at least 1`), z.maximum(max, `${what} must be at most ${max}`)),
  );

export const waitlistEntryIdSchema = wholeNumber('id', waitlistEntryIdLimit - 1);
export const stepSchema = wholeNumber('step', lastStep);

const signupSchema = z.object({
  email: emailSchema,
  /**
   * The honeypot, a field that people cannot see and bots fill in: absent or empty in other requests. An entry with a
   * filled honeypot is marked as suspected.
   */
  topic: z.optional(z.string()),
});
export type Signup = z.infer<typeof signupSchema>;

const waitlistEntrySchema = z.object({ id: z.int(), email: z.string() });
export type WaitlistEntry = z.infer<typeof waitlistEntrySchema>;

const waitlistEntryResponseSchema = z.object({ entry: waitlistEntrySchema });
export type WaitlistEntryResponse = z.infer<typeof waitlistEntryResponseSchema>;

/** Response to calls with an id: without the email, because the id may be a stranger's. */
const entryIdResponseSchema = z.object({ entry: z.object({ id: z.int() }) });

/**
 * Returns the id of the entry in a response, the only field that pages need; ignores all others. `undefined` without
 * one.
 */
export const entryIdIn = (response: unknown): number | undefined =>
  entryIdResponseSchema.safeParse(response).data?.entry.id;

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

const acknowledgementSchema = z.object({ success: z.literal(true) });

const acknowledged = {
  status: 200,
  body: acknowledgementSchema,
  description: 'Accepted; idempotent',
} as const;
const badRequest = {
  400: 'The request is invalid; the message names the reason',
  429: 'Rate limit exceeded; Retry-After contains the seconds until a retry',
} as const;
/** What the calls that change an entry have in common. */
const entryChange = {
  method: 'PUT',
  parameters: { id: waitlistEntryIdSchema },
  success: { status: 200, body: entryIdResponseSchema, description: 'Stored; never contains the email' },
  errorResponses: { ...badRequest, 404: 'No entry has this id' },
} as const;

/** Every call of docs/product.md (Calls). */
export const waitlistCalls = {
  signUp: {
    method: 'POST',
    path: '/api/waitlist',
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
    method: 'GET',
    path: '/api/waitlist/by-email',
    summary: 'The entry of an email, for the browser that signed up with it',
    query: { email: emailSchema },
    success: { status: 200, body: waitlistEntryResponseSchema, description: 'The entry' },
    errorResponses: { ...badRequest, 404: 'This browser did not sign up with this email' },
  },
  setStep: {
    ...entryChange,
    path: '/api/waitlist/{id}/step/{step}',
    summary: 'Set the step of an entry',
    parameters: { ...entryChange.parameters, step: stepSchema },
  },
  complete: {
    ...entryChange,
    path: '/api/waitlist/{id}/complete',
    summary: 'Mark an entry complete',
  },
  updateInformation: {
    ...entryChange,
    path: '/api/waitlist/{id}',
    summary: 'Store name and ZIP code',
    body: informationSchema,
  },
  selectOffers: {
    ...entryChange,
    path: '/api/waitlist/{id}/offers',
    summary: 'Save the chosen offers',
    body: offerSelectionSchema,
  },
  updateClientInfo: {
    ...entryChange,
    path: '/api/waitlist/{id}/update-client-info',
    summary: 'Store user agent, language and truncated network address of this request',
  },
  notifyComplete: {
    ...entryChange,
    method: 'POST',
    path: '/api/waitlist/{id}/notify-complete',
    summary: 'Report that the visitor reached the thank-you page',
    body: completionNoticeSchema,
    success: acknowledged,
  },
  sendEmergencyNotice: {
    method: 'POST',
    path: '/api/emergency-webhook',
    summary: 'Report an email whose entry could not be found',
    body: emergencyNoticeSchema,
    success: acknowledged,
    errorResponses: badRequest,
  },
} as const satisfies Record<string, ApiCall>;
