import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ApiCall, apiCalls, errorBodySchema } from '@daybook/contract/api';
import { dataHeaders, maxUrlLength } from '@daybook/server';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  encodedDomains,
  hostileAddresses,
  privateHosts,
  wrap,
  wrappings,
} from '../../packages/contract/test/email-addresses.ts';
import {
  anAddress,
  anEntryId,
  completionNotice,
  emergencyNotice,
  information,
  privacyRequest,
  signUp,
} from './support/factories.ts';
import type { RequestOptions, TestResponse } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PUBLIC_URL: 'https://daybook.example', PRIVACY_REQUESTS: 'record' });

let id: number;
beforeAll(async () => {
  id = await anEntryId(backend);
});

function expectSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(dataHeaders)) expect([name, headers.get(name)]).toEqual([name, value]);
  expect(headers.get('server')).toBeNull();
  expect(headers.get('x-powered-by')).toBeNull();
}

describe('a rejected request stores nothing:', () => {
  const everythingStored = () =>
    Promise.all(
      ['subscriber', 'waitlist_entry', 'emergency_notice', 'privacy_request', 'outbox_event'].map((table) =>
        database.query(`SELECT * FROM ${table}`),
      ),
    );
  let before: unknown;
  beforeEach(async () => {
    before = await everythingStored();
  });
  afterEach(async () => expect(await everythingStored()).toEqual(before));

  function expectRejection({ status, body, headers }: TestResponse, error: string, message: string) {
    expect(errorBodySchema.parse(body)).toEqual(body);
    expect(body).toEqual({ statusCode: status, error, message: expect.stringContaining(message) });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  }

  const json = (value: unknown): RequestOptions => ({ json: value });
  const raw = (body: string, type = 'application/json'): RequestOptions => ({
    body,
    headers: { 'content-type': type },
  });
  const noObject = 'body: a JSON object is needed';
  const invalidEmail = 'Please enter a valid email address.';
  const tooLong = 'Additional comments are too long: 10,000 English letters fit, fewer in other scripts.';
  const rightsRequest = (comments: string) =>
    json(privacyRequest({ kind: 'privacy-rights-request', fields: { name: 'Ada', requestType: 'access', comments } }));

  type Case = readonly [what: string, options: RequestOptions, message: string, error?: string];

  // What each field accepts is tested in packages/contract; here are the framing of bodies and one error of each call.
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
        ['half a surrogate pair', raw('{"email":"a\\ud800@example.com"}'), invalidEmail],
        ['an invalid address and a filled honeypot', json({ email: 'nobody', topic: 'Cheap watches' }), invalidEmail],
        ['truncated JSON', raw('{"email":'), 'The body is not valid JSON.', 'MALFORMED_JSON'],
        ['an empty JSON text', raw(''), 'The body is not valid JSON.', 'MALFORMED_JSON'],
        [
          'a prototype',
          raw('{"__proto__":{"email":"a@example.com"}}'),
          'The body is not valid JSON.',
          'MALFORMED_JSON',
        ],
        ['deep nesting', raw('['.repeat(49_000) + ']'.repeat(49_000)), noObject],
        ['a form', raw('email=a', 'application/x-www-form-urlencoded'), 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
        ['plain text', raw('{"email":"a@example.com"}', 'text/plain'), 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
        ['an unreadable content type', raw('{}', 'json;;;'), 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
        ['1 MB', json({ email: 'x'.repeat(1_000_000) }), 'At most 100000 bytes', 'BODY_TOO_LARGE'],
      ],
    ],
    [
      'a completion without a body',
      'PUT',
      '/api/waitlist/ID/complete',
      [['an empty JSON text', raw(''), '', 'MALFORMED_JSON']],
    ],
    [
      'offers',
      'PUT',
      '/api/waitlist/ID/offers',
      [['20,000', json({ selectedOffers: Array(20_000).fill(1) }), 'at most 4 offers']],
    ],
    [
      'information',
      'PUT',
      '/api/waitlist/ID',
      [
        ['a NUL', json(information({ lastName: 'a\0b' })), 'lastName: contains a character that cannot be stored'],
        [
          'three errors, each a sentence for the visitor',
          json(information({ firstName: 'A', lastName: 'B', zipCode: '1' })),
          'First name must be at least 2 characters. Last name must be at least 2 characters. Please enter a valid ZIP code.',
        ],
      ],
    ],
    ['a step', 'PUT', '/api/waitlist/ID/step/3', [['the number 3', {}, 'step']]],
    [
      'a completion notice',
      'POST',
      '/api/waitlist/ID/notify-complete',
      [
        ['a NUL in its source', json(completionNotice({ source: '\0' })), 'source: contains a character'],
        ['an invalid time', json(completionNotice({ timestamp: '2026-02-30T00:00:00Z' })), 'timestamp must be'],
      ],
    ],
    [
      'a privacy request',
      'POST',
      '/api/privacy-requests',
      [
        ['an unknown kind', json({ ...privacyRequest(), kind: 'forget-me' }), 'kind must be one of unsubscribe'],
        ['no fields', json(privacyRequest({ kind: 'limit-sensitive-info' })), 'fields.categoriesToLimit: '],
        ['comments of 10,001 bytes', rightsRequest('x'.repeat(10_001)), tooLong],
        ['comments of 10,002 bytes in another script', rightsRequest('語'.repeat(3_334)), tooLong],
      ],
    ],
    ['a lookup', 'GET', '/api/waitlist/by-email', [['no address', {}, invalidEmail]]],
    ['a lookup', 'GET', '/api/waitlist/by-email?email=a@b.co&email=c@d.co', [['two addresses', {}, invalidEmail]]],
    ['a path', 'PUT', '/api/waitlist/%ZZ/complete', [['bytes that are no UTF-8', {}, 'malformed', 'BAD_REQUEST']]],
    [
      'a path',
      'PUT',
      `/api/waitlist/${'1'.repeat(300)}/complete`,
      [['300 digits', {}, 'too long', 'ADDRESS_TOO_LONG']],
    ],
    ['a path', 'GET', '/api/nothing?email=a@example.com', [['nothing', {}, 'nothing at this address', 'NOT_FOUND']]],
    ['a path', 'DELETE', '/api/waitlist', [['an unsupported method', {}, 'for this method', 'NOT_FOUND']]],
  ])('%s with', (_call, method, path, cases) => {
    test.each(cases)('%s', async (_what, options, message, error = 'VALIDATION_FAILED') =>
      expectRejection(await backend.request(method, path.replace('ID', String(id)), options), error, message),
    );
  });

  test.each<[method: string, path: string, options: RequestOptions]>([
    ['PUT', '/step/2', {}],
    ['PUT', '/complete', {}],
    ['PUT', '', json(information())],
    ['PUT', '/offers', json({ selectedOffers: [] })],
    ['PUT', '/update-client-info', {}],
    ['POST', '/notify-complete', json(completionNotice())],
  ])('a malformed id in %s …%s', async (method, path, options) => {
    for (const bad of ['abc', '-1', '0', '1.5', '1e3', '281474976710656', '%00', "1'--", '٣'])
      expectRejection(
        await backend.request(method, `/api/waitlist/${bad}${path}`, options),
        'VALIDATION_FAILED',
        'id must be',
      );
  });

  const notPublic = [...privateHosts.map(([host]) => host), ...encodedDomains].map((host) => `a@${host}`);
  const ofSignups = [...hostileAddresses, ...notPublic, '.a@b.co', 'a.@b.co', 'a..b@b.co'];
  const post = (path: string, body: object) => backend.request('POST', path, json(body));
  test.each<[string, (email: string) => Promise<TestResponse>, readonly string[]]>([
    ['signup', (email) => signUp(backend, { email }), ofSignups],
    [
      'lookup',
      (email) => backend.request('GET', `/api/waitlist/by-email?${new URLSearchParams({ email })}`),
      ofSignups,
    ],
    ['emergency notice', (email) => post('/api/emergency-webhook', emergencyNotice({ email })), ofSignups],
    ['privacy request', (email) => post('/api/privacy-requests', privacyRequest({ email })), hostileAddresses],
  ])('a hostile address in a %s', async (_call, request, addresses) => {
    for (const email of addresses) {
      const { status, body } = await request(email);
      const rejection = { statusCode: 400, error: 'VALIDATION_FAILED', message: invalidEmail };
      expect({ email, status, body }).toEqual({ email, status: 400, body: rejection });
    }
  });

  test('a write from another site’s page (CSRF)', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://daybook.example.evil.example'])
      for (const { method, path } of Object.values<ApiCall>(apiCalls).filter((call) => call.method !== 'GET')) {
        const address = path.replace('{id}', String(id)).replace('{step}', '2');
        const response = await backend.request(method, address, { json: {}, headers: { origin } });
        expectRejection(response, 'FOREIGN_ORIGIN', 'Only pages of this site may send this.');
        expectSecurityHeaders(response.headers);
      }
  });
});

test('a write from this site is accepted, by the requested host or by PUBLIC_URL', async () => {
  for (const origin of [backend.url, 'https://daybook.example'])
    expect((await signUp(backend, { headers: { origin } })).status).toBe(201);
});

test('unknown keys in a body are ignored', async () => {
  const json = { ...information(), constructor: 'x', toString: 'y', isAdmin: true };
  const response = await backend.request('PUT', '/api/waitlist/5000', { json });
  expect(response.body).toMatchObject({ error: 'ENTRY_NOT_FOUND' });
});

test.each(privateHosts)('a privacy request for an address at %s is stored with the host %s', async (typed, stored) => {
  const json = privacyRequest({ email: `reader@${typed}` });
  expect((await backend.request('POST', '/api/privacy-requests', { json })).status).toBe(201);
  const newest = await database.query('SELECT email FROM privacy_request ORDER BY id DESC LIMIT 1');
  expect(newest).toEqual([{ email: `reader@${stored}` }]);
});

test.each(wrappings)('every call finds the address in %j', async (wrapping) => {
  const email = anAddress();
  const pasted = wrap(wrapping, email);
  const { cookie, body } = await signUp(backend, { email: pasted });
  expect(body.entry.email).toBe(email);
  const query = new URLSearchParams({ email: pasted });
  const found = await backend.request('GET', `/api/waitlist/by-email?${query}`, {
    headers: { cookie: String(cookie) },
  });
  expect(found).toMatchObject({ status: 200, body: { entry: { id: body.entry.id, email } } });
  await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email: pasted }) });
  expect(await database.query('SELECT email FROM emergency_notice ORDER BY id DESC LIMIT 1')).toEqual([{ email }]);
  await backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email: pasted }) });
  const unsubscribed = 'SELECT email FROM subscriber WHERE unsubscribed_at IS NOT NULL ORDER BY id DESC LIMIT 1';
  expect(await database.query(unsubscribed)).toEqual([{ email }]);
});

test('no body of any content type to any call is a server error', async () => {
  const names = fc.constantFrom(
    'email',
    'kind',
    'fields',
    'comments',
    'selectedOffers',
    'source',
    '__proto__',
    'toString',
  );
  const values = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(
        null,
        true,
        -1.5e300,
        '',
        'reader@example.com',
        '\0',
        'unsubscribe',
        "'; DROP TABLE subscriber; --",
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  const bodies = fc.oneof(
    fc.constantFrom(
      undefined,
      '',
      '{',
      '"',
      '{"__proto__":{"email":"a@b.co"}}',
      '['.repeat(50_000),
      'x'.repeat(200_000),
    ),
    values.map((value) => JSON.stringify(value)),
    fc.webQueryParameters(),
    fc.string({ unit: 'binary' }),
  );
  const types = fc.constantFrom(
    undefined,
    'application/json',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json;;;',
  );
  const calls = fc.constantFrom(...Object.values<ApiCall>(apiCalls).filter(({ method }) => method !== 'GET'));
  await fc.assert(
    fc.asyncProperty(calls, bodies, types, async ({ method, path }, body, type) => {
      const address = path.replace('{id}', String(id)).replace('{step}', '2');
      const {
        status,
        headers,
        body: response,
      } = await backend.request(method, address, {
        ...(body !== undefined && { body }),
        ...(type !== undefined && { headers: { 'content-type': type } }),
      });
      expect(status).toBeLessThan(500);
      if (status >= 400) expect(errorBodySchema.parse(response).statusCode).toBe(status);
      expectSecurityHeaders(headers);
    }),
    { numRuns: 500 },
  );
});

describe('every response has security headers and no server banner:', () => {
  const close = 'connection: close\r\n\r\n';
  test.each<[string, string, number]>([
    ['a probe in HTTP/1.0 without a host', 'GET /readyz HTTP/1.0\r\n\r\n', 200],
    ['a malformed host', `GET /healthz HTTP/1.1\r\nhost: x@y\r\n${close}`, 400],
    ['an address that cannot be decoded', `GET /api/waitlist/%ZZ HTTP/1.1\r\nhost: x\r\n${close}`, 400],
    ['an address that is too long', `GET /${'x'.repeat(maxUrlLength)} HTTP/1.1\r\nhost: x\r\n${close}`, 414],
    ['a request without a host', `GET /healthz HTTP/1.1\r\n${close}`, 400],
    ['an expectation', `GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\n${close}`, 417],
    ['headers without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
    ['something that is not HTTP', 'HELLO\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx', 400],
    [
      'content length and chunked encoding',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a line break in a header', 'GET / HTTP/1.1\r\nhost: x\r\nx: a\rb: c\r\n\r\n', 400],
    ['an unknown method', `BREW /api/waitlist HTTP/1.1\r\nhost: x\r\n${close}`, 400],
    // Its timeout is connectionLimits.headers.
    ['headers that do not end in time', 'POST /api/waitlist HTTP/1.1\r\nhost: x\r\n', 408],
  ])('%s', async (_what, bytes, expected) => {
    const socket = connect(Number(new URL(backend.url).port), '127.0.0.1');
    socket.write(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    expect(Number(first.split(' ')[1])).toBe(expected);
    expectSecurityHeaders(new Headers(lines.map((line) => line.split(': ', 2) as [string, string])));
    if (expected !== 200) expect(errorBodySchema.parse(JSON.parse(body)).statusCode).toBe(expected);
  });
});
