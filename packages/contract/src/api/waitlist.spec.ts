import { expect, test } from '@jest/globals';
import { offerIds } from '../site.ts';
import { entryIdIn, pathOf } from './calls.ts';
import {
  completionNoticeSchema,
  emergencyNoticeSchema,
  informationSchema,
  offerSelectionSchema,
  stepSchema,
  waitlistCalls,
  waitlistEntryIdSchema,
} from './waitlist.ts';

interface Parsed {
  readonly data?: unknown;
  readonly error?: { readonly issues: readonly { readonly message: string }[] } | undefined;
}
/** Returns the messages about a value, or the parsed value. */
const outcomeOf = ({ data, error }: Parsed) => error?.issues.map(({ message }) => message) ?? data;

test('the calls are the nine of docs/product.md', () => {
  expect(Object.values(waitlistCalls).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/waitlist',
    'GET /api/waitlist/by-email',
    'PUT /api/waitlist/{id}/step/{step}',
    'PUT /api/waitlist/{id}/complete',
    'PUT /api/waitlist/{id}',
    'PUT /api/waitlist/{id}/offers',
    'PUT /api/waitlist/{id}/update-client-info',
    'POST /api/waitlist/{id}/notify-complete',
    'POST /api/emergency-webhook',
  ]);
});

test('the path of a call contains its parameters, each encoded within its own segment', () => {
  expect(pathOf(waitlistCalls.setStep, { id: 7, step: 2 })).toBe('/api/waitlist/7/step/2');
  expect(pathOf(waitlistCalls.signUp, {})).toBe('/api/waitlist');
  expect(pathOf(waitlistCalls.complete, { id: '7/../8?x=1#y' })).toBe('/api/waitlist/7%2F..%2F8%3Fx%3D1%23y/complete');
});

test.each([
  ['1', 1],
  ['007', 7],
  ['281474976710655', 2 ** 48 - 1],
  ...['abc', '-1', '1.5', ' 7', '', '1e3', '0x10'].map((text) => [text, ['id must be a whole number']] as const),
  ['0', ['id must be at least 1']],
  ['281474976710656', ['id must be at most 281474976710655']],
])('the id of an entry %p becomes %p', (text, outcome) => {
  expect(outcomeOf(waitlistEntryIdSchema.safeParse(text))).toEqual(outcome);
});

test.each([
  ['2', 2],
  ['two', ['step must be a whole number']],
  ['0', ['step must be at least 1']],
  ['3', ['step must be at most 2']],
])('the step %p becomes %p', (text, outcome) => {
  expect(outcomeOf(stepSchema.safeParse(text))).toEqual(outcome);
});

test.each([
  [{ entry: { id: 7, email: 'a@b.co', more: 1 } }, 7],
  ...[{}, null, undefined, '', { entry: { email: 'a@b.co' } }, { entry: null }, { entry: { id: '7' } }].map(
    (response) => [response, undefined] as const,
  ),
])('the id of the entry in the response %j is %p', (response, id) => {
  expect(entryIdIn(response)).toBe(id);
});

test.each([
  [[], undefined],
  [['tmobile'], undefined],
  [offerIds, undefined],
  [['grocery', 'lottery'], `must be one of ${offerIds.join(', ')}`],
  [['grocery', 'grocery'], 'selectedOffers must not contain duplicates'],
  [[...offerIds, 'grocery'], `selectedOffers has at most ${offerIds.length} offers`],
])('the selected offers %j get the message %p', (selectedOffers, message) => {
  const body = { selectedOffers };
  expect(outcomeOf(offerSelectionSchema.safeParse(body))).toEqual(message === undefined ? body : [message]);
});

test.each([{}, { selectedOffers: 'grocery' }, { selectedOffers: null }])(
  'the body %j without a list of selected offers is rejected',
  (body) => {
    expect(offerSelectionSchema.safeParse(body).success).toBe(false);
  },
);

const information = { firstName: 'Ada', lastName: 'Lovelace', zipCode: '04101' };

test('name and ZIP code are trimmed', () => {
  const typed = { firstName: ' Ada ', lastName: ' Lovelace', zipCode: '04101 ' };
  expect(informationSchema.parse(typed)).toEqual(information);
});

test.each([
  ['firstName', 'A', 'First name must be at least 2 characters.'],
  ['firstName', 'A'.repeat(101), 'First name must be at most 100 characters.'],
  ['lastName', 'L', 'Last name must be at least 2 characters.'],
  ['lastName', 'L'.repeat(101), 'Last name must be at most 100 characters.'],
  ['zipCode', '0410', 'Please enter a valid ZIP code.'],
  ['zipCode', '0'.repeat(11), 'Please enter a valid ZIP code.'],
  ['firstName', 'Ada\0', 'contains a character that cannot be stored'],
  ['lastName', 'Love\ud800', 'contains a character that cannot be stored'],
])('%s %p is rejected with the message %p', (field, value, message) => {
  expect(outcomeOf(informationSchema.safeParse({ ...information, [field]: value }))).toEqual([message]);
});

const noTimestamp = 'timestamp must be an ISO 8601 date and time';
test.each<[{ readonly timestamp?: string; readonly source?: string }, string | undefined]>([
  [{ timestamp: '2025-05-20T08:00:00.000Z' }, undefined],
  [{ timestamp: '2025-05-20T08:00:00Z' }, undefined],
  [{ timestamp: '2025-05-20T10:00:00+02:00' }, undefined],
  [{ timestamp: 'yesterday' }, noTimestamp],
  [{ timestamp: '2025-05-20' }, noTimestamp],
  [{ timestamp: '2025-02-30T08:00:00Z' }, noTimestamp],
  [{ timestamp: '1747728000000' }, noTimestamp],
  [{ timestamp: '' }, noTimestamp],
  [{ source: '' }, 'source must not be empty'],
  [{ source: 's'.repeat(101) }, 'source has at most 100 characters'],
  [{ source: 'thank\0you' }, 'contains a character that cannot be stored'],
])('a notice with %j gets the message %p', (changes, message) => {
  for (const [schema, others] of [
    [completionNoticeSchema, { forceSend: true }],
    [emergencyNoticeSchema, { email: 'reader@example.com' }],
  ] as const) {
    const notice = { source: 'thank-you-page', timestamp: '2025-05-20T08:00:00.000Z', ...others, ...changes };
    expect(outcomeOf(schema.safeParse(notice))).toEqual(message === undefined ? notice : [message]);
  }
});
