import { errorBodySchema } from '@daybook/contract/api';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { anEntryId, completionNotice, emergencyNotice, information, privacyRequest } from './support/factories.ts';
import type { RequestOptions } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

let id: number;
let before: unknown;
const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

beforeAll(async () => {
  id = await anEntryId(backend);
});

const everythingStored = async () => [
  await database.query('SELECT * FROM subscriber'),
  await database.query('SELECT * FROM waitlist_entry'),
  await database.query('SELECT * FROM emergency_notice'),
  await database.query('SELECT * FROM privacy_request'),
];

beforeEach(async () => {
  before = await everythingStored();
});

afterEach(async () => {
  expect(await everythingStored()).toEqual(before);
});

async function expectRejection(method: string, path: string, options: RequestOptions, error: string, message: string) {
  const { status, body, headers } = await backend.request(method, path.replace('ID', String(id)), options);
  expect(errorBodySchema.parse(body)).toEqual(body);
  expect(body).toEqual({ statusCode: status, error, message: expect.stringContaining(message) });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

const json = (value: unknown): RequestOptions => ({ json: value });
const raw = (body: string, type = 'application/json'): RequestOptions => ({ body, headers: { 'content-type': type } });
const noObject = 'body: a JSON object is needed';
const invalidEmail = 'Please enter a valid email address.';

type Case = readonly [what: string, options: RequestOptions, message: string, error?: string];

describe.each<[call: string, method: string, path: string, cases: readonly Case[]]>([
  [
    'a signup',
    'POST',
    '/api/waitlist',
    [
      ['no body', {}, noObject],
      ['an array', json([]), noObject],
      ['null', raw('null'), noObject],
      ['no address', json({}), invalidEmail],
      ['a number for an address', json({ email: 7 }), invalidEmail],
      ['an address without a domain', json({ email: 'somebody' }), invalidEmail],
      ['two lines for an address', json({ email: 'a@example.com\r\nBcc: b@example.com' }), invalidEmail],
      ['a NUL character', json({ email: 'a\0@example.com' }), invalidEmail],
      ['half a surrogate pair', raw('{"email":"a\\ud800@example.com"}'), invalidEmail],
      ['300 characters', json({ email: `${'x'.repeat(288)}@example.com` }), 'An email address has at most 254'],
      ['truncated JSON', raw('{"email":'), 'The body is not valid JSON.', 'MALFORMED_JSON'],
      ['an empty JSON text', raw(''), 'The body is not valid JSON.', 'MALFORMED_JSON'],
      ['a prototype', raw('{"__proto__":{"email":"a@example.com"}}'), 'The body is not valid JSON.', 'MALFORMED_JSON'],
      ['deep nesting', raw('['.repeat(49_000) + ']'.repeat(49_000)), noObject],
      ['a form', raw('email=a', 'application/x-www-form-urlencoded'), 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
      ['plain text', raw('{"email":"a@example.com"}', 'text/plain'), 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
      ['an unreadable content type', raw('{}', 'json;;;'), 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
      ['1 MB', json({ email: 'x'.repeat(1_000_000) }), 'At most 100000 bytes', 'BODY_TOO_LARGE'],
    ],
  ],
  [
    'a choice of offers',
    'PUT',
    '/api/waitlist/ID/offers',
    [
      ['an unknown one', json({ selectedOffers: ['yacht'] }), 'must be one of grocery, vivint, audien, tmobile'],
      ['one twice', json({ selectedOffers: ['grocery', 'grocery'] }), 'must not contain duplicates'],
      ['20,000', json({ selectedOffers: Array(20_000).fill(1) }), 'at most 4 offers'],
      ['a text', json({ selectedOffers: 'grocery' }), 'selectedOffers: '],
    ],
  ],
  [
    'information',
    'PUT',
    '/api/waitlist/ID',
    [
      ['a short name', json(information({ firstName: 'A' })), 'First name must be at least 2 characters.'],
      ['a NUL', json(information({ lastName: 'a\0b' })), 'lastName: contains a character that cannot be stored'],
      [
        'three errors, each a sentence for the visitor',
        json(information({ firstName: 'A', lastName: 'B', zipCode: '1' })),
        'First name must be at least 2 characters. Last name must be at least 2 characters. Please enter a valid ZIP code.',
      ],
    ],
  ],
  [
    'a completion notice',
    'POST',
    '/api/waitlist/ID/notify-complete',
    [
      ['no body', {}, noObject],
      ['a NUL in its source', json(completionNotice({ source: '\0' })), 'source: contains a character'],
      ['an invalid time', json(completionNotice({ timestamp: '2026-02-30T00:00:00Z' })), 'timestamp must be'],
      [
        'three errors',
        json({ source: '', timestamp: 1 }),
        'source must not be empty. timestamp must be an ISO 8601 date and time. forceSend must be true.',
      ],
    ],
  ],
  [
    'an emergency notice',
    'POST',
    '/api/emergency-webhook',
    [['nobody', json(emergencyNotice({ email: 'nobody' })), invalidEmail]],
  ],
  [
    'a privacy request',
    'POST',
    '/api/privacy-requests',
    [
      ['no body', {}, noObject],
      [
        'an unknown kind',
        json({ ...privacyRequest(), kind: 'forget-me' }),
        'kind must be one of unsubscribe, ca-unsubscribe, privacy-rights-request, profiling-opt-out',
      ],
      ['nobody', json(privacyRequest({ email: 'nobody' })), invalidEmail],
      ['no fields', json(privacyRequest({ kind: 'limit-sensitive-info' })), 'fields.categoriesToLimit: '],
      [
        'too long comments',
        json(
          privacyRequest({
            kind: 'privacy-rights-request',
            fields: { name: 'Ada', requestType: 'access', comments: 'x'.repeat(10_001) },
          }),
        ),
        'Additional comments are too long: 10,000 English letters fit, fewer in other scripts.',
      ],
    ],
  ],
  ['a lookup', 'GET', '/api/waitlist/by-email', [['no address', {}, invalidEmail]]],
  ['a lookup', 'GET', '/api/waitlist/by-email?email=a@b.co&email=c@d.co', [['two addresses', {}, invalidEmail]]],
])('%s is rejected, and stores nothing, with', (_call, method, path, cases) => {
  test.each(cases)('%s', (_what, options, message, error = 'VALIDATION_FAILED') =>
    expectRejection(method, path, options, error, message),
  );
});

describe('a malformed id is rejected by every call that takes one', () => {
  const calls: [string, string, RequestOptions][] = [
    ['PUT', '/step/2', {}],
    ['PUT', '/complete', {}],
    ['PUT', '', json(information())],
    ['PUT', '/offers', json({ selectedOffers: [] })],
    ['PUT', '/update-client-info', {}],
    ['POST', '/notify-complete', json(completionNotice())],
  ];
  const ids = ['abc', '-1', '0', '1.5', '1e3', '0x10', '281474976710656', '99999999999999999999', '%00', "1'--", '٣'];
  test.each(calls)('%s …%s', async (method, path, options) => {
    for (const bad of ids)
      await expectRejection(method, `/api/waitlist/${bad}${path}`, options, 'VALIDATION_FAILED', 'id must be');
  });
});

describe('other requests', () => {
  test.each([
    ['an address that cannot be decoded', 'PUT', '/api/waitlist/%ZZ/complete', 'BAD_REQUEST', 'malformed'],
    ['an id of 300 digits', 'PUT', `/api/waitlist/${'1'.repeat(300)}/complete`, 'ADDRESS_TOO_LONG', 'too long'],
    ['an unknown path', 'GET', '/api/nothing?email=a@example.com', 'NOT_FOUND', 'nothing at this address'],
    ['an unsupported method', 'DELETE', '/api/waitlist', 'NOT_FOUND', 'for this method'],
  ])('%s is rejected', (_what, method, path, error, message) => expectRejection(method, path, {}, error, message));

  test('HEAD returns the status without a body', async () => {
    expect(await backend.request('HEAD', '/api/waitlist/by-email?email=a@example.com')).toMatchObject({
      status: 404,
      body: undefined,
    });
  });

  test('unknown keys in a body are ignored', async () => {
    const json = { ...information(), constructor: 'x', toString: 'y', isAdmin: true };
    const response = await backend.request('PUT', '/api/waitlist/5', { json });
    expect(response.body).toMatchObject({ error: 'ENTRY_NOT_FOUND' });
  });
});
