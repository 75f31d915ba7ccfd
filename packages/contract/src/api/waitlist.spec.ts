import { expect, test } from '@jest/globals';
import { offerIds } from '../site.ts';
import { entryIdIn, pathOf } from './calls.ts';
import { waitlistCalls as calls, stepSchema, waitlistEntryIdSchema } from './waitlist.ts';

interface Parsed {
  readonly data?: unknown;
  readonly error?: { readonly issues: readonly { readonly message: string }[] } | undefined;
}
/** Returns the messages about a value, or the parsed value. */
const outcomeOf = ({ data, error }: Parsed) => error?.issues.map(({ message }) => message) ?? data;

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
  expect(outcomeOf(waitlistEntryIdSchema.safeParse(text))).toEqual(outcome);
});

test('the steps are 1 and 2', () => {
  const outcomes = ['0', '1', '2', '3'].map((text) => stepSchema.safeParse(text).data);
  expect(outcomes).toEqual([undefined, 1, 2, undefined]);
});

test('pages read the id of the entry in a response, if it has one', () => {
  expect(entryIdIn({ entry: { id: 7, email: 'a@b.co' } })).toBe(7);
  for (const response of [{}, null, '', { entry: null }, { entry: { id: '7' } }])
    expect(entryIdIn(response)).toBeUndefined();
});

test.each([
  [[], undefined],
  [offerIds, undefined],
  [['grocery', 'lottery'], `must be one of ${offerIds.join(', ')}`],
  [['grocery', 'grocery'], 'selectedOffers must not contain duplicates'],
  [[...offerIds, 'grocery'], `selectedOffers has at most ${offerIds.length} offers`],
])('the selected offers %j get the message %p', (selectedOffers, message) => {
  const body = { selectedOffers };
  expect(outcomeOf(calls.selectOffers.body.safeParse(body))).toEqual(message === undefined ? body : [message]);
});

test.each([
  ['firstName', ' Ada ', undefined],
  ['firstName', 'A', 'First name must be at least 2 characters.'],
  ['lastName', 'L'.repeat(101), 'Last name must be at most 100 characters.'],
  ['zipCode', '0410', 'Please enter a valid ZIP code.'],
  ['firstName', 'Ada\0', 'contains a character that cannot be stored'],
  ['lastName', 'Love\ud800', 'contains a character that cannot be stored'],
])('%s %p gets the message %p', (field, value, message) => {
  const information = { firstName: 'Ada', lastName: 'Lovelace', zipCode: '04101' };
  const outcome = outcomeOf(calls.updateInformation.body.safeParse({ ...information, [field]: value }));
  expect(outcome).toEqual(message === undefined ? information : [message]);
});

const noTimestamp = 'timestamp must be an ISO 8601 date and time';
test.each<[{ readonly timestamp?: string; readonly source?: string }, string | undefined]>([
  [{ timestamp: '2025-05-20T10:00:00+02:00' }, undefined],
  [{ timestamp: '2025-05-20' }, noTimestamp],
  [{ timestamp: '2025-02-30T08:00:00Z' }, noTimestamp],
  [{ source: '' }, 'source must not be empty'],
  [{ source: 's'.repeat(101) }, 'source has at most 100 characters'],
])('a notice with %j gets the message %p', (changes, message) => {
  const notice = { source: 'thank-you-page', timestamp: '2025-05-20T08:00:00.000Z', forceSend: true, ...changes };
  expect(outcomeOf(calls.notifyComplete.body.safeParse(notice))).toEqual(message === undefined ? notice : [message]);
});
