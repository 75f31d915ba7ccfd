import * as z from 'zod';
import { privacyRequestKinds } from '../api/privacy-choices.ts';
import { privacyRequestFieldsSchema, referenceNumberSchema } from '../api/privacy-request.ts';

const timeSchema = z.iso.datetime();
const subscriberEntry = { entryId: z.int(), email: z.string() } as const;

/**
 * Every event that the backend tells the operator's mail system, by type; docs/webhooks.md is the description for
 * receivers. Of each entry there is at most one event of a type, of an address at most one emergency in a UTC day, and
 * of a privacy request exactly one. Every event names its address as `email`: by that the events of an address are found
 * when it is forgotten.
 */
export const eventKinds = {
  'signup.created': {
    summary: 'Somebody signed up. Signing up again with a known address is a new entry, and an event of its own',
    data: z.object({
      ...subscriberEntry,
      signedUpAt: timeSchema,
      /** Whether the address had unsubscribed before; not in events from before this field. Nobody checked who signed up. */
      resubscribed: z.boolean().optional(),
    }),
  },
  'signup.completed': {
    summary: 'A registration was completed, or its visitor reached the thank-you page, whichever came first',
    data: z.object({ ...subscriberEntry, completedAt: timeSchema }),
  },
  'signup.emergency': {
    summary: 'A visitor reached the thank-you page with an address, but their entry was not found; nobody checked it',
    data: z.object({ email: z.string(), source: z.string(), receivedAt: timeSchema }),
  },
  'privacy_request.received': {
    summary: 'Somebody made a privacy request, with an address that nobody checked',
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
    summary: 'Nobody completed a registration in time, and it was removed with its address: delete what you hold of it',
    data: z.object({ email: z.string(), expiredAt: timeSchema }),
  },
  'subscriber.forgotten': {
    summary: 'The operator forgot an address on request: delete what you hold of it from before `forgottenAt`',
    data: z.object({ email: z.string(), forgottenAt: timeSchema }),
  },
} as const;

export type EventType = keyof typeof eventKinds;
export type EventData<Type extends EventType> = z.infer<(typeof eventKinds)[Type]['data']>;

/** The body of a webhook of one type. */
export const eventOf = <Type extends EventType>(type: Type) =>
  z.object({
    type: z.literal(type),
    /** When it happened, by the server's clock; the same in every repeat. */
    timestamp: timeSchema,
    data: eventKinds[type].data as (typeof eventKinds)[Type]['data'],
  });
