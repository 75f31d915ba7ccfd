import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorBodySchema } from '@daybook/contract';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { anEntryId, completionNotice, emergencyNotice, information, privacyRequest } from './support/factories.ts';
import { type RequestOptions } from './support/test-backend.ts';
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

async function expectRefusal(method: string, path: string, options: RequestOptions, error: string, message: string) {
  const { status, body, headers } = await backend.request(method, path.replace('ID', String(id)), options);
  expect(errorBodySchema.parse(body)).toEqual(body);
  expect(body).toEqual({ statusCode: status, error, message: expect.stringContaining(message) });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

const json = (value: unknown): RequestOptions => ({ json: value });
const raw = (body: string, type = 'application/json'): RequestOptions => ({ body, headers: { 'content-type': type } });
const signUpPath = '/api/waitlist';
const invalidEmail = 'Please enter a valid email address.';

describe('a refused signup stores nothing and says why', () => {
  test.each<[string, RequestOptions, string, string]>([
    ['no body', {}, 'VALIDATION_FAILED', 'body: a JSON object is needed'],
    ['an array', json([]), 'VALIDATION_FAILED', 'body: a JSON object is needed'],
    ['null', raw('null'), 'VALIDATION_FAILED', 'body: a JSON object is needed'],
    ['no address', json({}), 'VALIDATION_FAILED', invalidEmail],
    ['a number for an address', json({ email: 7 }), 'VALIDATION_FAILED', invalidEmail],
    ['an address without a domain', json({ email: 'somebody' }), 'VALIDATION_FAILED', invalidEmail],
    [
      'two lines for an address',
      json({ email: 'a@example.com\r\nBcc: b@example.com' }),
      'VALIDATION_FAILED',
      invalidEmail,
    ],
    ['a NUL character', json({ email: 'a\0@example.com' }), 'VALIDATION_FAILED', invalidEmail],
    ['half a surrogate pair', raw('{"email":"a\\ud800@example.com"}'), 'VALIDATION_FAILED', invalidEmail],
    [
      '300 characters',
      json({ email: `${'x'.repeat(288)}@example.com` }),
      'VALIDATION_FAILED',
      'An email address has at most 254 characters.',
    ],
    ['truncated JSON', raw('{"email":'), 'MALFORMED_JSON', 'The body is not valid JSON.'],
    ['an empty JSON text', raw(''), 'MALFORMED_JSON', 'The body is not valid JSON.'],
    ['a prototype', raw('{"__proto__":{"email":"a@example.com"}}'), 'MALFORMED_JSON', 'The body is not valid JSON.'],
    [
      'deep nesting',
      raw('['.repeat(49_000) + ']'.repeat(49_000)),
      'VALIDATION_FAILED',
      'body: a JSON object is needed',
    ],
    [
      'a form',
      raw('email=a%40example.com', 'application/x-www-form-urlencoded'),
      'UNSUPPORTED_MEDIA_TYPE',
      'application/json',
    ],
    ['plain text', raw('{"email":"a@example.com"}', 'text/plain'), 'UNSUPPORTED_MEDIA_TYPE', 'application/json'],
    ['an unreadable content type', raw('{}', 'json;;;'), 'UNSUPPORTED_MEDIA_TYPE', 'application/json'],
    ['1 MB', json({ email: 'x'.repeat(1_000_000) }), 'BODY_TOO_LARGE', 'At most 100000 bytes'],
  ])('%s', (_what, options, error, message) => expectRefusal('POST', signUpPath, options, error, message));
});

describe('a malformed id is refused by every call that takes one', () => {
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
      await expectRefusal(method, `/api/waitlist/${bad}${path}`, options, 'VALIDATION_FAILED', 'id must be');
  });
});

describe('other malformed requests are refused', () => {
  const offers = '/api/waitlist/ID/offers';
  const notice = '/api/waitlist/ID/notify-complete';
  test.each<[string, string, string, RequestOptions, string, string]>([
    [
      'an unknown offer',
      'PUT',
      offers,
      json({ selectedOffers: ['yacht'] }),
      'VALIDATION_FAILED',
      'must be one of grocery, vivint, audien, tmobile',
    ],
    [
      'an offer twice',
      'PUT',
      offers,
      json({ selectedOffers: ['grocery', 'grocery'] }),
      'VALIDATION_FAILED',
      'names an offer twice',
    ],
    [
      '20,000 offers',
      'PUT',
      offers,
      json({ selectedOffers: Array(20_000).fill(1) }),
      'VALIDATION_FAILED',
      'at most 4 offers',
    ],
    ['offers in a text', 'PUT', offers, json({ selectedOffers: 'grocery' }), 'VALIDATION_FAILED', 'selectedOffers: '],
    [
      'a short name',
      'PUT',
      '/api/waitlist/ID',
      json(information({ firstName: 'A' })),
      'VALIDATION_FAILED',
      'First name must be at least 2 characters.',
    ],
    [
      'a NUL in a name',
      'PUT',
      '/api/waitlist/ID',
      json(information({ lastName: 'a\0b' })),
      'VALIDATION_FAILED',
      'lastName: contains a character that cannot be stored',
    ],
    [
      'a NUL in a source',
      'POST',
      notice,
      json(completionNotice({ source: '\0' })),
      'VALIDATION_FAILED',
      'source: contains a character',
    ],
    [
      'a time that is none',
      'POST',
      notice,
      json(completionNotice({ timestamp: '2026-02-30T00:00:00Z' })),
      'VALIDATION_FAILED',
      'timestamp must be',
    ],
    ['no notice', 'POST', notice, {}, 'VALIDATION_FAILED', 'body: a JSON object is needed'],
    [
      'an emergency of nobody',
      'POST',
      '/api/emergency-webhook',
      json(emergencyNotice({ email: 'nobody' })),
      'VALIDATION_FAILED',
      invalidEmail,
    ],
    [
      'a privacy request of an unknown kind',
      'POST',
      '/api/privacy-requests',
      json({ ...privacyRequest(), kind: 'forget-me' }),
      'VALIDATION_FAILED',
      'kind must be one of unsubscribe, ca-unsubscribe, privacy-rights-request, profiling-opt-out',
    ],
    [
      'a privacy request of nobody',
      'POST',
      '/api/privacy-requests',
      json(privacyRequest({ email: 'nobody' })),
      'VALIDATION_FAILED',
      invalidEmail,
    ],
    [
      'a privacy request without its fields',
      'POST',
      '/api/privacy-requests',
      json(privacyRequest({ kind: 'limit-sensitive-info' })),
      'VALIDATION_FAILED',
      'fields.categoriesToLimit: ',
    ],
    [
      'comments without end',
      'POST',
      '/api/privacy-requests',
      json(
        privacyRequest({
          kind: 'privacy-rights-request',
          fields: { name: 'Ada', requestType: 'access', comments: 'x'.repeat(5_001) },
        }),
      ),
      'VALIDATION_FAILED',
      'Additional comments can have at most 5,000 characters.',
    ],
    ['no privacy request', 'POST', '/api/privacy-requests', {}, 'VALIDATION_FAILED', 'body: a JSON object is needed'],
    [
      'a search without an address',
      'GET',
      '/api/waitlist/by-email',
      {},
      'VALIDATION_FAILED',
      'Please enter a valid email address.',
    ],
    [
      'a search for two addresses',
      'GET',
      '/api/waitlist/by-email?email=a@b.co&email=c@d.co',
      {},
      'VALIDATION_FAILED',
      'Please enter a valid email address.',
    ],
    ['an address that cannot be decoded', 'PUT', '/api/waitlist/%ZZ/complete', {}, 'BAD_REQUEST', 'malformed'],
    ['an id of 300 digits', 'PUT', `/api/waitlist/${'1'.repeat(300)}/complete`, {}, 'ADDRESS_TOO_LONG', 'too long'],
    [
      'an address that is not there',
      'GET',
      '/api/nothing?email=a@example.com',
      {},
      'NOT_FOUND',
      'nothing at this address',
    ],
    ['a method that is not there', 'DELETE', signUpPath, {}, 'NOT_FOUND', 'for this method'],
  ])('%s', (_what, method, path, options, error, message) => expectRefusal(method, path, options, error, message));

  test('HEAD gives the status without a body', async () => {
    expect(await backend.request('HEAD', '/api/waitlist/by-email?email=a@example.com')).toMatchObject({
      status: 404,
      body: undefined,
    });
  });

  test('the message names every problem', () =>
    expectRefusal(
      'POST',
      '/api/waitlist/ID/notify-complete',
      json({ source: '', timestamp: 1 }),
      'VALIDATION_FAILED',
      'source must not be empty. timestamp must be an ISO 8601 date and time. forceSend must be true.',
    ));

  test('what is meant for the visitor reads as sentences', () =>
    expectRefusal(
      'PUT',
      '/api/waitlist/ID',
      json(information({ firstName: 'A', lastName: 'B', zipCode: '1' })),
      'VALIDATION_FAILED',
      'First name must be at least 2 characters. Last name must be at least 2 characters. Please enter a valid ZIP code.',
    ));

  test.each([
    ['something that is not HTTP', 'HELLO\r\n\r\n', 400],
    ['headers without end', `GET /healthz HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s', async (_what, bytes, status) => {
    const socket = connect(Number(new URL(backend.url).port), '127.0.0.1');
    socket.end(bytes);
    const answer = await text(socket);
    expect(answer).toMatch(`HTTP/1.1 ${status}`);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      statusCode: status,
      message: expect.any(String),
    });
  });

  test('keys that are none of ours are ignored', async () => {
    const json = { ...information(), constructor: 'x', toString: 'y', isAdmin: true };
    const answer = await backend.request('PUT', '/api/waitlist/5', { json });
    expect(answer.body).toMatchObject({ error: 'ENTRY_NOT_FOUND' });
  });
});
