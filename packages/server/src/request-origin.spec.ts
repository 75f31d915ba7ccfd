import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isFromOtherOrigin, isValidHost } from './request-origin.ts';

const publicUrl = 'https://www.example';
const isForeign = (origin: string | undefined, host: string, fetchSite?: string) =>
  isFromOtherOrigin({ host, headers: { origin, 'sec-fetch-site': fetchSite } }, publicUrl);

test.each([
  ['no origin', undefined, 'daybook.example', false],
  ['the requested host', 'https://daybook.example', 'daybook.example', false],
  ['a host in capitals', 'https://daybook.example', 'Daybook.EXAMPLE', false],
  ['the default port of https in the host', 'https://daybook.example', 'daybook.example:443', false],
  ['a final dot on both', 'https://daybook.example.', 'daybook.example.', false],
  ['the public origin, whatever a proxy made of the host', publicUrl, 'shell:8080', false],
  ['another host', 'https://evil.example', 'daybook.example', true],
  ['another port', 'https://daybook.example:8443', 'daybook.example', true],
  ['the default port of the other scheme', 'http://daybook.example', 'daybook.example:443', true],
  ['a final dot on one of them', 'https://daybook.example.', 'daybook.example', true],
  ['the host as its user', 'https://daybook.example@evil.example', 'daybook.example', true],
  ['an opaque origin', 'null', 'null', true],
  ['the scheme of an app', 'capacitor://localhost', 'localhost', true],
  ['two origins', 'https://daybook.example, https://evil.example', 'daybook.example', true],
  ['no host', 'https://daybook.example', '', true],
  ['plain HTTP, where the public origin has HTTPS', 'http://www.example', 'www.example', true],
])('a request with %s, %s at %s, is from another origin: %s', (_what, origin, host, expected) => {
  expect(isForeign(origin, host)).toBe(expected);
});

test('Sec-Fetch-Site decides where a browser sends it, except for the public origin', () => {
  for (const fetchSite of ['same-origin', 'none'])
    for (const origin of ['null', 'https://daybook.example'])
      expect(isForeign(origin, 'shell:8080', fetchSite)).toBe(false);
  for (const fetchSite of ['cross-site', 'same-site', '', 'unknown'])
    expect(isForeign('https://daybook.example', 'daybook.example', fetchSite)).toBe(true);
  expect(isForeign(publicUrl, 'other.example', 'cross-site')).toBe(false);
});

describe('for any two URLs', () => {
  const ipv6 = fc.ipV6().map((ip) => `[${ip}]`);
  const host = fc.oneof(fc.domain(), fc.ipV4(), ipv6, fc.constantFrom('localhost', 'a_b', 'ä.example'));
  const port = fc.constantFrom('', ':80', ':443', ':8080', ':65535');
  const scheme = fc.constantFrom('http:', 'https:');
  const perhaps = fc.option(host, { nil: undefined });

  test('a page of the one may send to the other exactly if a browser gives both the same origin', () => {
    fc.assert(
      fc.property(scheme, host, port, perhaps, port, (protocol, name, ofPage, other, ofTarget) => {
        const [page, target] = [`${name}${ofPage}`, `${other ?? name.toUpperCase()}${ofTarget}`];
        const origins = [page, target].map((each) => URL.parse(`${protocol}//${each}`)?.origin);
        fc.pre(origins.every((each) => each !== undefined));
        expect(isForeign(origins[0], target)).toBe(origins[0] !== origins[1]);
      }),
    );
  });

  test('no text throws, and no other text than a spelling of the host is accepted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (origin, text) => {
        const isAccepted = origin !== '' && !isForeign(origin, text);
        if (isAccepted) expect(URL.parse(origin)?.host).toBe(URL.parse(`http://${text}`)?.host);
      }),
    );
  });
});

test.each(['a@b', 'a/b', 'a?b', 'a\\b', 'a b', 'a\0'])('the host %j is invalid', (text) => {
  expect(isValidHost(text)).toBe(false);
});
