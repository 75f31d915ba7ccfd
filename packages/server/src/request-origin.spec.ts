import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isFromOtherOrigin, isValidHost } from './request-origin.ts';

const publicUrl = 'https://www.example';
const isForeign = (
  origin: string | undefined,
  host: string,
  fetchSite?: string,
  known: string | undefined = publicUrl,
) => isFromOtherOrigin({ host, headers: { origin, 'sec-fetch-site': fetchSite } }, known);

describe('a request is from this origin', () => {
  test.each([
    ['no origin', undefined, 'daybook.example'],
    ['the requested host', 'https://daybook.example', 'daybook.example'],
    ['a host in capitals', 'https://daybook.example', 'Daybook.EXAMPLE'],
    ['the default port of https in the host', 'https://daybook.example', 'daybook.example:443'],
    ['a final dot on both', 'https://daybook.example.', 'daybook.example.'],
    ['the public origin, whatever a proxy made of the host', publicUrl, 'shell:8080'],
  ])('with %s', (_what, origin, host) => {
    expect(isForeign(origin, host)).toBe(false);
  });

  test.each(['same-origin', 'none'])('if the browser states %s, whatever origin and host are', (fetchSite) => {
    for (const origin of ['null', 'https://daybook.example'])
      expect(isForeign(origin, 'shell:8080', fetchSite)).toBe(false);
  });

  test('with the public origin, also as another site', () => {
    expect(isForeign(publicUrl, 'other.example', 'cross-site')).toBe(false);
  });
});

describe('a request is from another origin', () => {
  test.each([
    ['another host', 'https://evil.example', 'daybook.example'],
    ['another port', 'https://daybook.example:8443', 'daybook.example'],
    ['the default port of the other scheme', 'http://daybook.example', 'daybook.example:443'],
    ['a final dot on one of them', 'https://daybook.example.', 'daybook.example'],
    ['the host as its user', 'https://daybook.example@evil.example', 'daybook.example'],
    ['an opaque origin', 'null', 'null'],
    ['the scheme of an app', 'capacitor://localhost', 'localhost'],
    ['two origins', 'https://daybook.example, https://evil.example', 'daybook.example'],
    ['no host', 'https://daybook.example', ''],
    ['plain HTTP, where the public origin has HTTPS', 'http://www.example', 'www.example'],
  ])('with %s', (_what, origin, host) => {
    expect(isForeign(origin, host)).toBe(true);
  });

  test.each(['cross-site', 'same-site', '', 'unknown'])(
    'if the browser states %j, also with the same host',
    (fetchSite) => {
      expect(isForeign('https://daybook.example', 'daybook.example', fetchSite)).toBe(true);
    },
  );
});

describe('for any two URLs', () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.constantFrom('localhost', 'a_b', 'ä.example'),
  );
  const port = fc.option(fc.constantFrom(80, 443, 8080, 65535), { nil: undefined });
  const scheme = fc.constantFrom('http:', 'https:');
  const withPort = (name: string, number: number | undefined) => (number === undefined ? name : `${name}:${number}`);

  test('a page of the one may send to the other exactly if a browser gives both the same origin', () => {
    fc.assert(
      fc.property(
        scheme,
        host,
        port,
        fc.option(host, { nil: undefined }),
        port,
        (protocol, name, number, other, otherPort) => {
          const [page, target] = [withPort(name, number), withPort(other ?? name.toUpperCase(), otherPort)];
          const origins = [page, target].map((each) => URL.parse(`${protocol}//${each}`)?.origin);
          fc.pre(origins.every((each) => each !== undefined));
          expect(isForeign(origins[0], target)).toBe(origins[0] !== origins[1]);
        },
      ),
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
