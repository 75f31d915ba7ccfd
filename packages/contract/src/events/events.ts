import * as z from 'zod';
import { privacyRequestKinds } from '../api/privacy-choices.ts';
import { privacyRequestFieldsSchema, referenceNumberSchema } from '../api/privacy-request.ts';

const timeSchema = z.iso.datetime();
const subscriberEntry = { entryId: z.int(), email: z.string() } as const;

/**
 * Every event that the backend sends to the operator's mail system (docs/webhooks.md). `email` is what delivery orders
 * them by and erasure finds them by.
 */
export const eventKinds = {
  'signup.created': {
    summary:
      'A visitor signed up. A repeated signup with a known email is a new entry, and the first few a day are sent',
    data: z.object({
      ...subscriberEntry,
      signedUpAt: timeSchema,
      /** Whether the subscriber had unsubscribed. */
      resubscribed: z.boolean(),
      /** Whether the honeypot field was filled in. */
      suspected: z.boolean(),
    }),
  },
  'signup.completed': {
    summary: 'A registration was completed, or its visitor reached the thank-you page, whichever came first',
    data: z.object({ ...subscriberEntry, completedAt: timeSchema }),
  },
  'signup.emergency': {
    summary: 'A visitor reached the thank-you page with an unverified email whose entry was not found',
    data: z.object({ email: z.string(), source: z.string(), receivedAt: timeSchema }),
  },
  'privacy_request.received': {
    summary: 'A visitor made a privacy request with an unverified email',
    data: z.object({
      reference: referenceNumberSchema,
      kind: z.enum(privacyRequestKinds),
      email: z.string(),
      fields: privacyRequestFieldsSchema,
      pageVersion: z.string(),
      globalPrivacyControl: z.boolean(),
      receivedAt: timeSchema,
      dueAt: timeSchema,
    }),
  },
  'subscriber.expired': {
    summary: 'An incomplete registration expired and was removed with its email: delete your data about it',
    data: z.object({ email: z.string(), expiredAt: timeSchema }),
  },
  'subscriber.forgotten': {
    summary: 'The operator erased an email on request: delete your data about it from before `forgottenAt`',
    data: z.object({ email: z.string(), forgottenAt: timeSchema }),
  },
} as const;

export type EventType = keyof typeof eventKinds;
export type EventData<Type extends EventType> = z.infer<(typeof eventKinds)[Type]['data']>;

/** The body of a webhook. */
export const eventOf = <Type extends EventType>(type: Type) =>
  z.object({
    type: z.literal(type),
    timestamp: timeSchema,
    data: eventKinds[type].data as (typeof eventKinds)[Type]['data'],
  });
