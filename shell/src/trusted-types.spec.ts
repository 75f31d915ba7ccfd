import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { scriptUrl, trustOwnScripts } from './trusted-types.ts';

type Rules = Readonly<Record<string, (text: string) => string>>;

const policies = new Map<string, Rules>();
const replaceTrustedTypes = (value: unknown) =>
  Object.defineProperty(globalThis, 'trustedTypes', { configurable: true, value });

beforeEach(() => {
  policies.clear();
  replaceTrustedTypes({
    createPolicy(name: string, rules: Rules) {
      policies.set(name, rules);
      return rules;
    },
  });
  trustOwnScripts();
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'trustedTypes');
});

test('the only policy of the page is its own, and turns no text into markup or code', () => {
  expect([...policies].map(([name, rules]) => [name, Object.keys(rules)])).toEqual([['daybook', ['createScriptURL']]]);
});

test('a browser without Trusted Types checks scripts too', () => {
  replaceTrustedTypes(undefined);
  trustOwnScripts();
  expect(scriptUrl('/assets/a.js')).toBe('/assets/a.js');
  expect(() => scriptUrl('/api/a.js')).toThrow(TypeError);
});

test('the policy allows the scripts of shell and remotes', () => {
  for (const file of ['/assets/860.e8ba638a.js', '/remotes/mf-legal/1.0.0-3f9ac2d1/remoteEntry.0a1b2c3d.js'])
    for (const address of [file, `http://localhost${file}`]) expect(scriptUrl(address)).toBe(address);
});

test.each([
  'https://evil.example/assets/shell.js',
  '//evil.example/remotes/a.js',
  'http://localhost:9000/assets/shell.js',
  '/assets/../api/docs/script.js',
  '/remotes/%2e%2e/api/docs/script.js',
  '/assetsevil.js',
  'data:text/javascript,alert(1)',
  'blob:http://localhost/1',
])('the policy allows no script from %s', (address) => {
  expect(() => scriptUrl(address)).toThrow(new TypeError(`${address} is no script of this site.`));
});
