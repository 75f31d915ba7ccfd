import { describe, expect, test } from '@jest/globals';
import { contractVersion } from './contract-version.ts';
import { findRoute, type PublicRegistry } from './registry.ts';

const routeOf = (path: string) => ({ path, title: path, description: path, frame: 'site' as const });
const remoteOf = (name: string, paths: readonly string[]) => ({
  name,
  version: '1.0.0-00000000',
  contract: contractVersion,
  entry: `/remotes/${name}/1.0.0-00000000/remoteEntry.js`,
  routes: paths.map(routeOf),
});
const registry: PublicRegistry = {
  remotes: [remoteOf('mf-signup', ['/']), remoteOf('mf-legal', ['/terms', '/cookie-policy'])],
  missing: [],
};

const ownerOf = (pathname: string) => {
  const found = findRoute(registry, pathname);
  return found && `${found.remote.name} ${found.route.path}`;
};

describe('finding the remote of a path', () => {
  test.each([
    ['/', 'mf-signup /'],
    ['/terms', 'mf-legal /terms'],
    ['/cookie-policy', 'mf-legal /cookie-policy'],
  ])('finds %p in %p', (pathname, owner) => {
    expect(ownerOf(pathname)).toBe(owner);
  });

  test.each(['', '/terms/more', '/terms/', '//terms', '/TERMS', '/__proto__'])('finds no remote for %p', (pathname) => {
    expect(ownerOf(pathname)).toBeUndefined();
  });
});
