import { expect, test } from '@jest/globals';
import type * as z from 'zod/mini';
import { offerIds } from '../site.ts';
import { entryIdIn, pathOf } from './calls.ts';
import { waitlistCalls as calls, waitlistEntryIdSchema } from './waitlist.ts';

/** Returns the messages about a value, or the parsed value. */
function outcomeOf(schema: z.ZodMiniType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  return error?.issues.map(({ message }) => message) ?? data;
}

test('the path of a call contains its parameters, each encoded within its own segment', () => {
  expect(pathOf(calls.setStep, { id: 7, step: 2 })).toBe('/api/waitlist/7/step/2');
  expect(pathOf(calls.complete, { id: '7/../8?x=1#y' })).toBe('/api/waitlist/7%2F..%2F8%3Fx%3D1%23y/complete');
});

test.each([
  ['007', 7],
  ['281474976710655', 2 ** 48 - 1],
  ...['abc', '-1', '1.5', ' 7', '', '1e3', '٣'].map((text) => [text, ['id must be a whole number']] as const),
  ['0', ['id must be at least 1']],
  ['281474976710656', ['id must be at most 281474976710655']],
])('the id of an entry %p becomes %p', (text, outcome) => {
  expect(outcomeOf(waitlistEntryIdSchema, text)).toEqual(outcome);
});

test('pages read the id of the entry in a response, if it has one', () => {
  expect(entryIdIn({ entry: { id: 7, email: 'a@b.co' } })).toBe(7);
  for (const response of [{}, null, '', { entry: null }, { entry: { id: '7' } }])
    expect(entryIdIn(response)).toBeUndefined();
});

const bodies = {
  selectOffers: { selectedOffers: offerIds },
  updateInformation: { firstName: 'Ada', lastName: 'Lovelace', zipCode: '04101' },
  notifyComplete: { source: 'thank-you-page', timestamp: '2025-05-20T08:00:00.000Z', forceSend: true },
};
const noTimestamp = 'timestamp must be an ISO 8601 date and time';

test.each<[keyof typeof bodies, object, string | undefined]>([
  ['selectOffers', { selectedOffers: [] }, undefined],
  ['selectOffers', { selectedOffers: ['grocery', 'lottery'] }, `must be one of ${offerIds.join(', ')}`],
  ['selectOffers', { selectedOffers: ['grocery', 'grocery'] }, 'selectedOffers must not contain duplicates'],
  [
    'selectOffers',
    { selectedOffers: [...offerIds, 'grocery'] },
    `selectedOffers has at most ${offerIds.length} offers`,
  ],
  ['updateInformation', { firstName: 'A' }, 'First name must be at least 2 characters.'],
  ['updateInformation', { lastName: 'L'.repeat(101) }, 'Last name must be at most 100 characters.'],
  ['updateInformation', { zipCode: '0410' }, 'Please enter a valid ZIP code.'],
  ['updateInformation', { firstName: 'Ada\0' }, 'contains a character that cannot be stored'],
  ['updateInformation', { lastName: 'Love\ud800' }, 'contains a character that cannot be stored'],
  ['notifyComplete', { timestamp: '2025-05-20T10:00:00+02:00' }, undefined],
  ['notifyComplete', { timestamp: '2025-02-30T08:00:00Z' }, noTimestamp],
  ['notifyComplete', { source: '' }, 'source must not be empty'],
  ['notifyComplete', { source: 's'.repeat(101) }, 'source has at most 100 characters'],
])('the body of %s with %j gets the message %p', (name, changes, message) => {
  const body = { ...bodies[name], ...changes };
  expect(outcomeOf(calls[name].body, body)).toEqual(message === undefined ? body : [message]);
});
