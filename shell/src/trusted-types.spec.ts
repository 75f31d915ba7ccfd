import { beforeAll, describe, expect, test } from '@jest/globals';

type Rules = Readonly<Record<string, (text: string) => string>>;
const policies = new Map<string, Rules>();

beforeAll(async () => {
  Reflect.set(globalThis, 'trustedTypes', {
    createPolicy: (name: string, rules: Rules) => policies.set(name, rules),
  });
  await import('./trusted-types.ts');
});

const scriptAddress = (address: string) => policies.get('default')?.createScriptURL?.(address);

describe('the policy of this page', () => {
  test('exists once, and turns no text into markup or code', () => {
    expect([...policies].map(([name, rules]) => [name, Object.keys(rules)])).toEqual([
      ['default', ['createScriptURL']],
    ]);
  });

  test.each([
    '/assets/860.e8ba638a.js',
    'http://localhost/assets/860.e8ba638a.js',
    'http://localhost/remotes/mf-legal/1.0.0-3f9ac2d1/remoteEntry.0a1b2c3d.js',
  ])('allows a script from %s', (address) => {
    expect(scriptAddress(address)).toBe(address);
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
    expect(() => scriptAddress(address)).toThrow(new TypeError(`${address} is no script of this site.`));
  });
});
