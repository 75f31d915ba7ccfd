import { expect, test } from '@jest/globals';
import { findRoute, type RemoteIndex, redirectOf } from './remote-index.ts';

const remoteOf = (name: string, paths: readonly string[]) => ({
  name,
  version: '1.0.0-00000000',
  entry: `/remotes/${name}/1.0.0-00000000/remoteEntry.js`,
  routes: paths.map((path) => ({ path, title: path, description: path, frame: 'site' as const })),
});
const index: RemoteIndex = {
  remotes: [remoteOf('mf-signup', ['/']), remoteOf('mf-legal', ['/terms', '/cookie-policy'])],
  missing: [],
};

test.each([
  ['/rules', '/terms'],
  ['/rules?id=7&x=%ZZ#fees', '/terms?id=7&x=%ZZ#fees'],
  ['/rules#a?b', '/terms#a?b'],
  ...['/rules/', '//rules', '/terms', '/__proto__', '/toString', ''].map((path) => [path, undefined] as const),
])('the path %p leads to %p', (path, target) => {
  const remotes = index.remotes.map((remote) => ({ ...remote, redirects: { '/rules': '/terms' } }));
  expect(redirectOf({ remotes }, path)).toBe(target);
});

test.each([
  ['/', 'mf-signup /'],
  ['/terms', 'mf-legal /terms'],
  ['/cookie-policy', 'mf-legal /cookie-policy'],
  ...['', '/terms/more', '/terms/', '//terms', '/TERMS', '/__proto__'].map((path) => [path, undefined] as const),
])('the path %p is the route %p', (pathname, owner) => {
  const found = findRoute(index, pathname);
  expect(found && `${found.remote.name} ${found.route.path}`).toBe(owner);
});
