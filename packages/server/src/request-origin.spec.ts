import { expect, test } from '@jest/globals';
import { isFromOtherOrigin, isValidHost } from './request-origin.ts';

const publicUrl = 'https://www.example';
const isForeign = (origin: string | undefined, host: string, fetchSite?: string) =>
  isFromOtherOrigin({ host, headers: { origin, 'sec-fetch-site': fetchSite } }, publicUrl);

test.each([
  ['no origin', undefined, 'daybook.example', false],
  ['the requested host', 'https://daybook.example', 'Daybook.EXAMPLE', false],
  ['the default port of https in the host', 'https://daybook.example', 'daybook.example:443', false],
  ['the public origin, whatever a proxy made of the host', publicUrl, 'shell:8080', false],
  ['another host', 'https://evil.example', 'daybook.example', true],
  ['another port', 'https://daybook.example:8443', 'daybook.example', true],
  ['the host as its user', 'https://daybook.example@evil.example', 'daybook.example', true],
  ['an opaque origin', 'null', 'null', true],
  ['the scheme of an app', 'capacitor://localhost', 'localhost', true],
  ['no host', 'https://daybook.example', '', true],
  ['plain HTTP, where the public origin has HTTPS', 'http://www.example', 'www.example', true],
])('a request with %s, %s at %s, is from another origin: %s', (_what, origin, host, expected) => {
  expect(isForeign(origin, host)).toBe(expected);
});

test('Sec-Fetch-Site decides where a browser sends it, except for the public origin', () => {
  for (const origin of ['null', 'https://daybook.example'])
    expect(isForeign(origin, 'shell:8080', 'same-origin')).toBe(false);
  for (const fetchSite of ['cross-site', 'same-site', ''])
    expect(isForeign('https://daybook.example', 'daybook.example', fetchSite)).toBe(true);
  expect(isForeign(publicUrl, 'other.example', 'cross-site')).toBe(false);
});

test.each(['a@b', 'a/b', 'a?b', 'a\\b', 'a b', 'a\0'])('the host %j is invalid', (text) => {
  expect(isValidHost(text)).toBe(false);
});
