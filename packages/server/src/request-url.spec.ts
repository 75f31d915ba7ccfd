import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { canonicalUrl } from './request-url.ts';

describe('the canonical URL of a request', () => {
  test.each([
    ['/api/waitlist?email=%61@b.example', '/api/waitlist?email=%61@b.example'],
    ['/%61pi/waitlist', '/api/waitlist'],
    ['/a%2Dz%2e%5f%7E%30', '/a-z._~0'],
    ['/api%2f..%2Fx', '/api%2f..%2Fx'],
    ['/api/%2e%2e/x', '/api/../x'],
    ['/api#x?y', '/api'],
    ['http://evil.example/api/x', '/api/x'],
    ['HTTPS://evil.example?x', '/?x'],
    ['//evil.example/x', '//evil.example/x'],
    ['*', '*'],
    // Malformed, and rejected by the router: decoding would complete another escape.
    ['/%%361pi', '/%%361pi'],
    ['/%6%31pi', '/%6%31pi'],
  ])('%s is %s', (url, canonical) => {
    expect(canonicalUrl({ url })).toBe(canonical);
  });

  const escaped = fc.integer({ min: 0, max: 255 }).map((code) => `%${code.toString(16).padStart(2, '0')}`);
  const part = fc.oneof(escaped, fc.constantFrom('/', '.', 'a', 'P', '%', '%2', '?', '#', '%25', ';'));
  const urls = fc.array(part).map((parts) => `/${parts.join('')}`);
  const pathOf = (url: string) => url.split(/[?#]/)[0] ?? '';
  const decoded = (text: string) =>
    text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

  test('has a path that decodes to the same bytes, and is its own canonical URL', () => {
    fc.assert(
      fc.property(urls, (url) => {
        const canonical = canonicalUrl({ url });
        expect(decoded(pathOf(canonical))).toBe(decoded(pathOf(url)));
        expect(canonicalUrl({ url: canonical })).toBe(canonical);
      }),
    );
  });

  test('begins with /api for each spelling of it', () => {
    const spelled = (character: string) => {
      const code = character.charCodeAt(0).toString(16);
      return fc.constantFrom(character, `%${code}`, `%${code.toUpperCase()}`);
    };
    const [host, rest] = [fc.constantFrom('', 'http://h'), fc.constantFrom('/x', '?x', '', '#')];
    fc.assert(
      fc.property(host, fc.tuple(...[...'api'].map(spelled)), rest, (before, name, after) => {
        expect(canonicalUrl({ url: `${before}/${name.join('')}${after}` })).toMatch(/^\/api(?:[/?]|$)/);
      }),
    );
  });
});
