import { expect, test } from '@jest/globals';
import { contractVersion } from './contract-version.ts';
import { findRoute, type PublicRegistry } from './registry.ts';

const remoteOf = (name: string, paths: readonly string[]) => ({
  name,
  version: '1.0.0-00000000',
  contract: contractVersion,
  entry: `/remotes/${name}/1.0.0-00000000/remoteEntry.js`,
  routes: paths.map((path) => ({ path, title: path, description: path, frame: 'site' as const })),
});
const registry: PublicRegistry = {
  remotes: [remoteOf('mf-signup', ['/']), remoteOf('mf-legal', ['/terms', '/cookie-policy'])],
  missing: [],
};

test.each([
  ['/', 'mf-signup /'],
  ['/terms', 'mf-legal /terms'],
  ['/cookie-policy', 'mf-legal /cookie-policy'],
  ...['', '/terms/more', '/terms/', '//terms', '/TERMS', '/__proto__'].map((path) => [path, undefined] as const),
])('the path %p is the route %p', (pathname, owner) => {
  const found = findRoute(registry, pathname);
  expect(found && `${found.remote.name} ${found.route.path}`).toBe(owner);
});
