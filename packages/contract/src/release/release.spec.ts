import { expect, test } from '@jest/globals';
import { releaseSchema } from './release.ts';

const integrity = `sha384-${'A'.repeat(64)}`;
const route = {
  path: '/terms',
  title: 'Terms of Service',
  description: 'The terms.',
  frame: 'site',
  files: ['terms.0a1b2c3d.js'],
};
const release = {
  name: 'mf-legal',
  version: '1.2.0-3f9ac2d10b7e',
  api: 1,
  entry: 'remoteEntry.0a1b2c3d.js',
  routes: [route],
  files: { 'remoteEntry.0a1b2c3d.js': { integrity, size: 12 }, 'fonts/serif.0a1b2c3d.woff2': { integrity, size: 0 } },
};

const accepts = (changes: object) => releaseSchema.safeParse({ ...release, ...changes }).success;
const withFile = (file: string, integrityOfFile = integrity) => ({
  files: { ...release.files, [file]: { integrity: integrityOfFile, size: 1 } },
});
const withRoute = (changes: object) => ({ routes: [{ ...route, ...changes }] });
const invalidFiles = ['', '../secret.js', 'a/../secret.js', '/etc/passwd', 'a\\b.js'];
const invalidPaths = ['', 'terms', '/terms/', '//terms', '/Terms', '/:id', '/*', '/a/../b', '/a b', '/terms?x=1'];

test('unknown fields are left out: an older server takes a release of a newer build', () => {
  expect(releaseSchema.parse(release)).toEqual(release);
  expect(releaseSchema.parse({ ...release, ...withRoute({ more: 1 }), more: 1 })).toEqual(release);
});

test.each([
  { fragment: 'fragments/terms.0a1b2c3d.html' },
  ...['/', '/terms', '/offer-landing/dental-savings', '/a1'].map((claimed) => ({ path: claimed })),
])('a release may have a route with %j', (changes) => {
  expect(accepts(withRoute(changes))).toBe(true);
});

test.each([
  ...['name', 'version', 'api', 'entry', 'routes', 'files'].map((field) => ({
    [field]: undefined,
  })),
  ...['', 'MF-legal', '../mf-legal', '1legal', 'a'.repeat(64)].map((name) => ({ name })),
  ...['1.2.0', '1.2.0-3F9AC2D10B7E', '1.2.0-3f9ac2d1', '1.2.0-3f9ac2d10b7e/..', 'v1.2.0-3f9ac2d10b7e'].map(
    (version) => ({
      version,
    }),
  ),
  ...[...invalidFiles, 'a%2fb.js', 'a.js\n'].flatMap((file) => [withFile(file), { entry: file }]),
  ...['', 'A'.repeat(64), `sha256-${'A'.repeat(64)}`, `sha384-${'A'.repeat(63)}`, `${integrity} sha384-x`].map((bad) =>
    withFile('remoteEntry.0a1b2c3d.js', bad),
  ),
  ...[...invalidPaths, '/terms#a', `/${'a'.repeat(200)}`].map((claimed) => withRoute({ path: claimed })),
  ...[{ title: 'a'.repeat(201) }, { description: 'a'.repeat(501) }, { frame: 'fancy' }].map(withRoute),
  withRoute({ fragment: '../terms.html' }),
])('a release with %j is rejected', (changes) => {
  expect(accepts(changes)).toBe(false);
});
