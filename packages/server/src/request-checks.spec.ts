import { expect, test } from '@jest/globals';
import { errorResponseOf } from './request-checks.ts';

const host = 'daybook.example';
const raw = { httpVersion: '1.1', rawHeaders: ['Host', host] };
const request = { method: 'POST', url: '/api/waitlist', host, headers: { host }, raw };
const statusOf = (changes: object, publicUrl?: string) =>
  errorResponseOf({ ...request, ...changes }, publicUrl)?.statusCode;

test('rejects a write from another origin, with any method that may change something', () => {
  const from = (origin: string, method = 'POST') => ({ method, headers: { host, origin } });
  const message = 'Only pages of this site may send this.';
  const rejection = { statusCode: 403, message, error: 'FOREIGN_ORIGIN' };
  for (const method of ['POST', 'DELETE', 'LOCK'])
    expect(errorResponseOf({ ...request, ...from('https://evil.example', method) })).toEqual(rejection);
  expect(statusOf(from('https://evil.example', 'GET'))).toBeUndefined();
  expect(statusOf(from('https://daybook.example'))).toBeUndefined();
  expect(statusOf(from('https://www.example'), 'https://www.example')).toBeUndefined();
});

test.each([
  ['none', {}, []],
  ['a malformed one', { host: 'daybook.example@evil.example' }, []],
  ['two', { host }, ['Host', host, 'Accept', 'host', 'hOST', 'evil.example']],
])('rejects a request by its hosts: %s', (_what, headers, rawHeaders) => {
  expect(statusOf({ headers, raw: { ...raw, rawHeaders } })).toBe(400);
});

test.each([
  ['/readyz?x', '1.0', undefined],
  ['/healthz', '1.1', 400],
  ['/api/waitlist', '1.0', 400],
])('accepts a request without a host only for probes in HTTP/1.0: %s in %s', (url, httpVersion, status) => {
  expect(statusOf({ method: 'GET', url, headers: {}, raw: { httpVersion, rawHeaders: [] } })).toBe(status);
});

test.each([
  ['content-length', '0005', 400],
  ['transfer-encoding', 'identity', 400],
  ['content-length', '0', undefined],
])('rejects a GET or DELETE with a body: %s %s', (header, value, status) => {
  for (const method of ['GET', 'DELETE']) expect(statusOf({ method, headers: { host, [header]: value } })).toBe(status);
});

test('rejects a URL from one character above the limit', () => {
  const url = '/'.padEnd(4_096, 'x');
  expect([statusOf({ url }), statusOf({ url: `${url}x` })]).toEqual([undefined, 414]);
});
