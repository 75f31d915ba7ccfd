import { describe, expect, test } from '@jest/globals';
import { errorResponseOf, maxUrlLength } from './request-checks.ts';

const host = 'daybook.example';
const raw = { httpVersion: '1.1', rawHeaders: ['Host', host] };
const request = { method: 'POST', url: '/api/waitlist', host, headers: { host }, raw };
const from = (origin: string | undefined, others: Partial<typeof request> = {}) => ({
  ...request,
  ...others,
  headers: { host, ...(origin === undefined ? {} : { origin }) },
});

test('rejects a write from another origin, with any method that may change something', () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'LOCK'])
    expect(errorResponseOf(from('https://evil.example', { method }))).toEqual({
      statusCode: 403,
      message: 'Only pages of this site may send this.',
      error: 'FOREIGN_ORIGIN',
    });
  expect(errorResponseOf(from('https://daybook.example'))).toBeUndefined();
  expect(errorResponseOf(from('https://www.example'), 'https://www.example')).toBeUndefined();
});

test.each(['GET', 'HEAD', 'OPTIONS'])('accepts %s from any origin, because it changes nothing', (method) => {
  expect(errorResponseOf(from('https://evil.example', { method }))).toBeUndefined();
});

test('rejects a request without a host', () => {
  expect(errorResponseOf({ ...request, headers: {} })).toMatchObject({ statusCode: 400, error: 'BAD_REQUEST' });
});

describe('accepts HTTP/1.0 without a host', () => {
  const without = (url: string, httpVersion: string) =>
    errorResponseOf({ ...request, method: 'GET', url, headers: {}, raw: { httpVersion, rawHeaders: [] } })?.statusCode;

  test.each(['/healthz', '/readyz', '/readyz?x'])('for the probe %s', (url) => {
    expect([without(url, '1.0'), without(url, '1.1')]).toEqual([undefined, 400]);
  });

  test.each(['/', '/healthz/x', '/api/waitlist'])('not for %s', (url) => {
    expect(without(url, '1.0')).toBe(400);
  });
});

test('rejects a malformed host', () => {
  expect(errorResponseOf({ ...request, headers: { host: 'daybook.example@evil.example' } })?.statusCode).toBe(400);
});

test('rejects a request with two Host lines', () => {
  const rawHeaders = ['Host', host, 'Accept', 'host', 'hOST', 'evil.example'];
  expect(errorResponseOf({ ...request, raw: { ...raw, rawHeaders } })).toMatchObject({ statusCode: 400 });
});

describe.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE'])('a %s request', (method) => {
  test.each([
    ['a length', { 'content-length': '5' }],
    ['a length with zeros in front', { 'content-length': '0005' }],
    ['a length that is no number', { 'content-length': '0x5' }],
    ['a body in chunks', { 'transfer-encoding': 'chunked' }],
    ['any other transfer encoding', { 'transfer-encoding': 'identity' }],
  ])('is rejected with %s', (_what, headers) => {
    expect(errorResponseOf({ ...request, method, headers: { host, ...headers } })).toMatchObject({ statusCode: 400 });
  });

  test('is accepted with a length of 0', () => {
    expect(errorResponseOf({ ...request, method, headers: { host, 'content-length': '0' } })).toBeUndefined();
  });
});

test('rejects a URL from one character above the limit', () => {
  const url = '/'.padEnd(maxUrlLength, 'x');
  expect(errorResponseOf({ ...request, url })).toBeUndefined();
  expect(errorResponseOf({ ...request, url: `${url}x` })).toMatchObject({
    statusCode: 414,
    error: 'ADDRESS_TOO_LONG',
  });
});
