import { expect, test } from '@jest/globals';
import { scriptUrl } from './trusted-types.ts';

// In browsers with Trusted Types, e2e/resilience/trusted-scripts.spec.ts.

test('the scripts of shell and remotes may run without Trusted Types', () => {
  for (const file of ['/assets/860.e8ba638a.js', '/remotes/mf-legal/1.0.0-3f9ac2d1/remoteEntry.0a1b2c3d.js'])
    for (const address of [file, `http://localhost${file}`]) expect(scriptUrl(address)).toBe(address);
});

test.each([
  ...['https://evil.example/assets/shell.js', 'http://localhost:9000/assets/shell.js', '/assets/../api/docs/script.js'],
  ...['/assetsevil.js', 'data:text/javascript,alert(1)', 'blob:http://localhost/1'],
])('no script from %s may run without Trusted Types', (address) => {
  expect(() => scriptUrl(address)).toThrow(new TypeError(`${address} is no script of this site.`));
});
