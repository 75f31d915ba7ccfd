import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { errorResponseOf } from './request-checks.ts';
import { isFromOtherOrigin, isValidHost } from './request-origin.ts';
import { canonicalUrl } from './request-url.ts';

const host = 'daybook.example';
const raw = { httpVersion: '1.1', rawHeaders: ['Host', host] };
const request = { method: 'POST', url: '/api/waitlist', host, headers: { host }, raw };
const statusOf = (changes: object) => errorResponseOf({ ...request, ...changes })?.statusCode;

test('rejects a write from another origin, with any method that may change something', () => {
  const from = (origin: string, method = 'POST') => ({ method, headers: { host, origin } });
  const message = 'Only pages of this site may send this.';
  const rejection = { statusCode: 403, message, error: 'FOREIGN_ORIGIN' };
  for (const method of ['POST', 'DELETE', 'LOCK'])
    expect(errorResponseOf({ ...request, ...from('https://evil.example', method) })).toEqual(rejection);
  expect(statusOf(from('https://evil.example', 'GET'))).toBeUndefined();
  expect(statusOf(from('https://daybook.example'))).toBeUndefined();
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

test.each(['a@b', 'a/b', 'a?b', 'a\\b', 'a b', 'a\0'])('the host %j is invalid', (text) => {
  expect(isValidHost(text)).toBe(false);
});

describe('the origin of a request', () => {
  const publicUrl = 'https://www.example';
  const isForeign = (origin: string | undefined, host: string, fetchSite?: string) =>
    isFromOtherOrigin({ host, headers: { origin, 'sec-fetch-site': fetchSite } }, publicUrl);

  test.each([
    ['none', undefined, 'daybook.example', false],
    ['the requested host', 'https://daybook.example', 'Daybook.EXAMPLE', false],
    ['the default port of https in the host', 'https://daybook.example', 'daybook.example:443', false],
    ['the public one, whatever a proxy made of the host', publicUrl, 'shell:8080', false],
    ['another host', 'https://evil.example', 'daybook.example', true],
    ['another port', 'https://daybook.example:8443', 'daybook.example', true],
    ['the host as its user', 'https://daybook.example@evil.example', 'daybook.example', true],
    ['an opaque one', 'null', 'null', true],
    ['the scheme of an app', 'capacitor://localhost', 'localhost', true],
    ['without a host', 'https://daybook.example', '', true],
    ['plain HTTP, where the public one has HTTPS', 'http://www.example', 'www.example', true],
  ])('%s: %s at %s is another one: %s', (_what, origin, host, expected) => {
    expect(isForeign(origin, host)).toBe(expected);
  });

  test('is that of Sec-Fetch-Site where a browser sends it, except for the public one', () => {
    for (const origin of ['null', 'https://daybook.example'])
      expect(isForeign(origin, 'shell:8080', 'same-origin')).toBe(false);
    for (const fetchSite of ['cross-site', 'same-site', ''])
      expect(isForeign('https://daybook.example', 'daybook.example', fetchSite)).toBe(true);
    expect(isForeign(publicUrl, 'other.example', 'cross-site')).toBe(false);
  });
});

describe('the canonical URL', () => {
  test.each([
    ['/api/waitlist?email=%61@b.example', '/api/waitlist?email=%61@b.example'],
    ['/%61pi/a%2Dz%2e%5f%7E%30', '/api/a-z._~0'],
    ['/api%2f..%2Fx', '/api%2f..%2Fx'],
    ['/api#x?y', '/api'],
    ['http://evil.example/api/x', '/api/x'],
    ['//evil.example/x', '//evil.example/x'],
  ])('of %s is %s', (url, canonical) => {
    expect(canonicalUrl({ url })).toBe(canonical);
  });

  test('is its own, and decodes to the same path', () => {
    const escaped = fc.integer({ min: 0, max: 255 }).map((code) => `%${code.toString(16).padStart(2, '0')}`);
    const part = fc.oneof(escaped, fc.constantFrom('/', '.', 'a', 'P', '%', '%2', '?', '#', '%25', ';'));
    const decoded = (url: string) => unescape(url.split(/[?#]/)[0] ?? '');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const url = `/${parts.join('')}`;
        const canonical = canonicalUrl({ url });
        expect(decoded(canonical)).toBe(decoded(url));
        expect(canonicalUrl({ url: canonical })).toBe(canonical);
      }),
    );
  });
});
