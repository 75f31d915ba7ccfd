import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ApiCall, apiCalls, errorBodySchema } from '@daybook/contract/api';
import { dataHeaders, maxUrlLength } from '@daybook/server';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { information } from './support/factories.ts';
import type { RequestOptions, TestResponse } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PUBLIC_URL: 'https://daybook.example', PRIVACY_REQUESTS: 'record' });

let id: number;
beforeAll(async () => {
  ({ id } = await backend.anEntry());
});
const urlOf = ({ path }: ApiCall) => path.replace('{id}', String(id)).replace('{step}', '2');
const writes = Object.values<ApiCall>(apiCalls).filter(({ method }) => method !== 'GET');

function expectSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(dataHeaders)) expect([name, headers.get(name)]).toEqual([name, value]);
  expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null]);
}

describe('a rejected request stores nothing:', () => {
  let before: unknown;
  beforeEach(async () => {
    before = await database.everything();
  });
  afterEach(async () => expect(await database.everything()).toEqual(before));

  function expectRejection({ status, body, headers }: TestResponse, error: string, message: string) {
    expect(errorBodySchema.parse(body)).toEqual(body);
    expect(body).toEqual({ statusCode: status, error, message: expect.stringContaining(message) });
    expect(Math.floor(status / 100)).toBe(4);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  }

  const raw = (body: string, type = 'application/json') => ({ body, headers: { 'content-type': type } });
  const signup = (options: RequestOptions) => ['POST', '/api/waitlist', options] as const;
  const at = (method: string, path: string, json?: object) => [method, path, { json }] as const;
  const noObject = 'body: a JSON object is needed';
  const invalidJson = 'The body is not valid JSON.';
  const names = 'First name must be at least 2 characters. Last name must be at least 2 characters. ';
  const short = { firstName: 'A', lastName: 'B', zipCode: '1' };
  const form = raw('email=a', 'application/x-www-form-urlencoded');

  // What each field accepts is tested in packages/contract; here is the framing of bodies.
  type Request = readonly [method: string, path: string, options: RequestOptions];
  test.each<[what: string, request: Request, message: string, error: string]>([
    ['a signup without a body', signup({}), noObject, 'VALIDATION_FAILED'],
    ['truncated JSON', signup(raw('{"email":')), invalidJson, 'MALFORMED_JSON'],
    ['a form', signup(form), 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
    ['1 MB', signup(raw('x'.repeat(1_000_000))), 'At most 4000 bytes', 'BODY_TOO_LARGE'],
    ['three errors', at('PUT', '/api/waitlist/7', short), `${names}Please enter a valid ZIP`, 'VALIDATION_FAILED'],
    ['an unknown step', at('PUT', '/api/waitlist/7/step/3'), 'step must be at most 2', 'VALIDATION_FAILED'],
    ['bytes in a path that are no UTF-8', at('PUT', '/api/waitlist/%ZZ/complete'), 'malformed', 'BAD_REQUEST'],
    ['an unknown path', at('GET', '/api/nothing?email=a@example.com'), 'nothing at this address', 'NOT_FOUND'],
  ])('%s', async (_what, request, message, error) => {
    expectRejection(await backend.request(...request), error, message);
  });

  test('a malformed id in any call', async () => {
    for (const path of ['', '/step/2', '/complete', '/offers', '/update-client-info'])
      for (const bad of ['abc', '0', '281474976710656']) {
        const body = path === '' ? information() : { selectedOffers: [] };
        expectRejection(await backend.put(bad, path, body), 'VALIDATION_FAILED', 'id must be');
      }
  });

  test('a write from another site’s page (CSRF)', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://daybook.example.evil.example'])
      for (const call of writes) {
        const response = await backend.request(call.method, urlOf(call), { json: {}, headers: { origin } });
        expectRejection(response, 'FOREIGN_ORIGIN', 'Only pages of this site may send this.');
        expectSecurityHeaders(response.headers);
      }
  });
});

test('a write from this site is accepted, and unknown keys are ignored', async () => {
  for (const origin of [backend.url, 'https://daybook.example']) {
    const { status, headers } = await backend.signUp({ headers: { origin } });
    expect([status, headers.get('strict-transport-security')]).toEqual([201, 'max-age=31536000']);
  }
  const unknown = { ...information(), constructor: 'x', toString: 'y', isAdmin: true };
  expect((await backend.put(id, '', unknown)).status).toBe(200);
});

test.each<[string, string, number]>([
  ['a probe in HTTP/1.0 without a host', 'GET /readyz HTTP/1.0\r\n\r\n', 200],
  ['a request without a host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['a URL that is too long', `GET /${'x'.repeat(maxUrlLength)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, 414],
])('%s gets a response with the security headers', async (_what, bytes, expected) => {
  const socket = connect(Number(new URL(backend.url).port), '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  expect(Number(first.split(' ')[1])).toBe(expected);
  expectSecurityHeaders(new Headers(lines.map((line) => line.split(': ', 2) as [string, string])));
  if (expected !== 200) expect(errorBodySchema.parse(JSON.parse(body)).statusCode).toBe(expected);
});
