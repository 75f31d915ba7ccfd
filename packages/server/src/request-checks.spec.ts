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

test.each([
  ['none', {}, []],
  ['a malformed one', { host: 'daybook.example@evil.example' }, []],
  ['two', { host }, ['Host', host, 'Accept', 'host', 'hOST', 'evil.example']],
])('rejects a request by its hosts: %s', (_what, headers, rawHeaders) => {
  expect(errorResponseOf({ ...request, headers, raw: { ...raw, rawHeaders } })).toMatchObject({
    statusCode: 400,
    error: 'BAD_REQUEST',
  });
});

test.each([
  ['/readyz?x', '1.0', undefined],
  ['/healthz', '1.0', undefined],
  ['/healthz', '1.1', 400],
  ['/healthz/x', '1.0', 400],
  ['/api/waitlist', '1.0', 400],
])('accepts a request without a host only for probes in HTTP/1.0: %s in %s', (url, httpVersion, status) => {
  const probe = { ...request, method: 'GET', url, headers: {}, raw: { httpVersion, rawHeaders: [] } };
  expect(errorResponseOf(probe)?.statusCode).toBe(status);
});

describe.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE'])('a %s request', (method) => {
  test.each([
    ['a length', { 'content-length': '0005' }, 400],
    ['a length that is no number', { 'content-length': '0x5' }, 400],
    ['any transfer encoding', { 'transfer-encoding': 'identity' }, 400],
    ['a length of 0', { 'content-length': '0' }, undefined],
  ])('with %s gets an error only if that is no empty body', (_what, headers, status) => {
    expect(errorResponseOf({ ...request, method, headers: { host, ...headers } })?.statusCode).toBe(status);
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
