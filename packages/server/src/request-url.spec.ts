import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { canonicalUrl } from './request-url.ts';

test.each([
  ['/api/waitlist?email=%61@b.example', '/api/waitlist?email=%61@b.example'],
  ['/%61pi/a%2Dz%2e%5f%7E%30', '/api/a-z._~0'],
  ['/api%2f..%2Fx', '/api%2f..%2Fx'],
  ['/api#x?y', '/api'],
  ['http://evil.example/api/x', '/api/x'],
  ['HTTPS://evil.example?x', '/?x'],
  ['//evil.example/x', '//evil.example/x'],
  // Malformed, and rejected by the router: decoding would complete another escape.
  ['/%%361pi', '/%%361pi'],
])('the canonical URL of %s is %s', (url, canonical) => {
  expect(canonicalUrl({ url })).toBe(canonical);
});

test('a canonical URL is its own, and decodes to the same path', () => {
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
