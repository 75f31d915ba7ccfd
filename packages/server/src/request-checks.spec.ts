import { describe, expect, test } from '@jest/globals';
import { errorResponseOf, maxUrlLength } from './request-checks.ts';

const host = 'daybook.example';
const raw = { rawHeaders: ['Host', host] };
const request = { method: 'POST', url: '/api/waitlist', host, headers: { host }, raw };
const from = (origin: string | undefined, others: Partial<typeof request> = {}) => ({
  ...request,
  ...others,
  headers: { host, ...(origin === undefined ? {} : { origin }) },
});

describe('accepts a write', () => {
  test.each([
    ['without an origin', from(undefined), undefined],
    ['with an empty one, which no browser sends', from(''), undefined],
    ['from this site', from('https://daybook.example'), undefined],
    ['from this site on a port', from('http://localhost:8080', { host: 'localhost:8080' }), undefined],
    ['from this site, its host in capitals', from('https://daybook.example', { host: 'Daybook.Example' }), undefined],
    ['from the public address, whatever a proxy made of the host', from('https://www.example'), 'https://www.example'],
  ])('%s', (_what, received, publicUrl) => {
    expect(errorResponseOf(received, publicUrl)).toBeUndefined();
  });
});

describe('rejects a write', () => {
  test.each([
    'https://evil.example',
    'https://daybook.example.evil.example',
    'https://daybook.example:8443',
    'https://evil.example/daybook.example',
    'null',
    'daybook.example',
    'file://',
  ])('from %p', (origin) => {
    expect(errorResponseOf(from(origin), 'https://www.example')).toEqual({
      statusCode: 403,
      message: 'Only pages of this site may send this.',
      error: 'FOREIGN_ORIGIN',
    });
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'LOCK'])('with the method %s as well', (method) => {
    expect(errorResponseOf(from('https://evil.example', { method }))?.statusCode).toBe(403);
  });
});

test.each(['GET', 'HEAD', 'OPTIONS'])('accepts %s from any origin, because it changes nothing', (method) => {
  expect(errorResponseOf(from('https://evil.example', { method }))).toBeUndefined();
});

test('rejects a request without a host', () => {
  expect(errorResponseOf({ ...request, headers: {} })).toMatchObject({ statusCode: 400, error: 'BAD_REQUEST' });
});

test('rejects a request with two Host lines', () => {
  const rawHeaders = ['Host', host, 'Accept', 'host', 'hOST', 'evil.example'];
  expect(errorResponseOf({ ...request, raw: { rawHeaders } })).toMatchObject({ statusCode: 400 });
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
