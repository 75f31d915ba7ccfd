import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { scriptUrl, trustOwnScripts } from './trusted-types.ts';

type Rules = Readonly<Record<string, (text: string) => string>>;

/** The policies of this document; like a browser, accepts each name once. */
const policies = new Map<string, Rules>();
const createPolicy = (name: string, rules: Rules) => {
  if (policies.has(name)) throw new TypeError(`Policy with name "${name}" already exists.`);
  policies.set(name, rules);
  return rules;
};
const replaceTrustedTypes = (value: unknown) =>
  Object.defineProperty(globalThis, 'trustedTypes', { configurable: true, value });

beforeEach(() => {
  policies.clear();
  replaceTrustedTypes({ createPolicy });
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'trustedTypes');
});

test('the only policy of this page is its own, and turns no text into markup or code', () => {
  trustOwnScripts();
  expect([...policies].map(([name, rules]) => [name, Object.keys(rules)])).toEqual([['daybook', ['createScriptURL']]]);
});

test('the default policy of an extension stays as it is', () => {
  const foreign = { createHTML: (text: string) => text };
  policies.set('default', foreign);
  trustOwnScripts();
  expect(scriptUrl('/assets/a.js')).toBe('/assets/a.js');
  expect(policies.get('default')).toBe(foreign);
});

test('a browser without Trusted Types needs no policies', () => {
  replaceTrustedTypes(undefined);
  trustOwnScripts();
  expect(scriptUrl('/assets/a.js')).toBe('/assets/a.js');
  expect(() => scriptUrl('/api/a.js')).toThrow(TypeError);
});

test('the page does not start with something else in place of Trusted Types', () => {
  replaceTrustedTypes('It was replaced.');
  expect(trustOwnScripts).toThrow(TypeError);
});

describe('the policy', () => {
  beforeEach(trustOwnScripts);
  const scriptUrl = (address: string) => policies.get('daybook')?.createScriptURL?.(address);

  test.each([
    '/assets/860.e8ba638a.js',
    'http://localhost/assets/860.e8ba638a.js',
    'http://localhost/remotes/mf-legal/1.0.0-3f9ac2d1/remoteEntry.0a1b2c3d.js',
  ])('allows a script from %s', (address) => {
    expect(scriptUrl(address)).toBe(address);
  });

  test.each([
    'https://evil.example/assets/shell.js',
    '//evil.example/remotes/a.js',
    'http://localhost:9000/assets/shell.js',
    '/api/waitlist',
    '/assets/../api/docs/script.js',
    '/remotes/%2e%2e/api/docs/script.js',
    '/assetsevil.js',
    'data:text/javascript,alert(1)',
    'blob:http://localhost/1',
    'javascript:alert(1)',
  ])('allows no script from %s', (address) => {
    expect(() => scriptUrl(address)).toThrow(new TypeError(`${address} is no script of this site.`));
  });
});
