import { describe, expect, test } from '@jest/globals';
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
  readonly error?: { readonly issues: readonly { readonly message: string }[] } | undefined;
}
const messagesOf = ({ error }: Parsed) => error?.issues.map(({ message }) => message);

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

describe('the id of an entry', () => {
  test.each([
    ['1', 1],
    ['007', 7],
    ['281474976710655', 2 ** 48 - 1],
  ])('parses %p as %p', (text, id) => {
    expect(waitlistEntryIdSchema.parse(text)).toBe(id);
  });

  test.each([
    ...['abc', '-1', '1.5', ' 7', '', '1e3', '0x10'].map((text) => [text, 'id must be a whole number']),
    ['0', 'id must be at least 1'],
    ['281474976710656', 'id must be at most 281474976710655'],
  ])('rejects %p with the message %p', (text, message) => {
    expect(messagesOf(waitlistEntryIdSchema.safeParse(text))).toEqual([message]);
  });
});

test.each([
  ['2', undefined],
  ['two', ['step must be a whole number']],
  ['0', ['step must be at least 1']],
  ['3', ['step must be at most 2']],
])('the step %p gets the messages %p', (text, messages) => {
  expect(messagesOf(stepSchema.safeParse(text))).toEqual(messages);
});

describe('a selection of offers', () => {
  test.each([[[]], [['tmobile']], [['grocery', 'vivint', 'audien', 'tmobile']]])('accepts %p unchanged', (offers) => {
    expect(offerSelectionSchema.parse({ selectedOffers: offers })).toEqual({ selectedOffers: offers });
  });

  test.each([
    [['grocery', 'lottery'], 'must be one of grocery, vivint, audien, tmobile'],
    [['grocery', 'grocery'], 'selectedOffers must not contain duplicates'],
    [['grocery', 'vivint', 'audien', 'tmobile', 'grocery'], 'selectedOffers has at most 4 offers'],
  ])('rejects %j: %s', (selectedOffers, message) => {
    expect(messagesOf(offerSelectionSchema.safeParse({ selectedOffers }))).toContain(message);
  });

  test.each([{}, { selectedOffers: 'grocery' }, null])('rejects %p', (body) => {
    expect(offerSelectionSchema.safeParse(body).success).toBe(false);
  });
});

describe('name and ZIP code', () => {
  const information = { firstName: 'Ada', lastName: 'Lovelace', zipCode: '04101' };

  test('are trimmed', () => {
    expect(informationSchema.parse({ firstName: ' Ada ', lastName: ' Lovelace', zipCode: '04101 ' })).toEqual(
      information,
    );
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
    expect(messagesOf(informationSchema.safeParse({ ...information, [field]: value }))).toEqual([message]);
  });
});

describe.each([
  ['a completion notice', completionNoticeSchema, { forceSend: true }],
  ['an emergency notice', emergencyNoticeSchema, { email: 'reader@example.com' }],
])('%s', (_name, schema, others) => {
  const notice = { source: 'thank-you-page', timestamp: '2025-05-20T08:00:00.000Z', ...others };

  test.each(['2025-05-20T08:00:00.000Z', '2025-05-20T08:00:00Z', '2025-05-20T10:00:00+02:00'])(
    'accepts the timestamp %p',
    (timestamp) => {
      expect(schema.parse({ ...notice, timestamp })).toEqual({ ...notice, timestamp });
    },
  );

  test.each(['yesterday', '2025-05-20', '2025-02-30T08:00:00Z', '1747728000000', ''])(
    'rejects the timestamp %p',
    (timestamp) => {
      expect(messagesOf(schema.safeParse({ ...notice, timestamp }))).toEqual([
        'timestamp must be an ISO 8601 date and time',
      ]);
    },
  );

  test.each([
    ['', 'source must not be empty'],
    ['s'.repeat(101), 'source has at most 100 characters'],
    ['thank\0you', 'contains a character that cannot be stored'],
  ])('rejects the source %p with the message %p', (source, message) => {
    expect(messagesOf(schema.safeParse({ ...notice, source }))).toEqual([message]);
  });
});
