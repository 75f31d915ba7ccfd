import { expect, test } from '@jest/globals';
import { hashOf, integrityOf, ManifestError, readManifest, releaseLimits } from './manifest.ts';

const integrity = integrityOf(Buffer.from('a'));
const file = { integrity, size: 1 };
const route = { path: '/terms', title: 'Terms', description: 'Text', frame: 'site', files: ['terms.js'] };
const release = {
  name: 'mf-legal',
  version: '1.0.0-3f9ac2d10b7e',
  api: 1,
  entry: 'entry.js',
  routes: [route],
  files: { 'entry.js': file, 'fonts/terms.0a1b2c3d.html': file, 'terms.js': file },
};

const read = (text: string) => readManifest(text, 'mf-legal', 1);

function errorsOf(json: unknown): readonly string[] {
  try {
    read(typeof json === 'string' ? json : JSON.stringify(json));
  } catch (error) {
    if (error instanceof ManifestError) return error.errors;
    throw error;
  }
  return [];
}

const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const withRoute = (changes: object) => ({ routes: [{ ...route, ...changes }] });
const routes = (count: number, changes: (index: number) => object = () => ({})) => ({
  routes: many(count, (index) => ({ ...route, path: `/page-${index}`, ...changes(index) })),
});
const sized = (size: number, ...names: string[]) => Object.fromEntries(names.map((name) => [name, { ...file, size }]));
const withFile = (name: string, changes: object = {}) => ({
  files: { ...release.files, [name]: { ...file, ...changes } },
});
const withStyles = (count: number, size: number) => ({
  ...routes(count, (index) => ({ files: [`${index}.css`] })),
  files: { ...release.files, ...sized(size, ...many(count, (index) => `${index}.css`)) },
});

test('unknown fields are left out: an older server takes a release of a newer build', () => {
  expect(read(JSON.stringify({ ...release, ...withRoute({ more: 1 }), more: 1 }))).toEqual(release);
});

test.each([
  { fragment: 'fonts/terms.0a1b2c3d.html' },
  ...['/', '/offer-landing/dental-savings', '/a1'].map((path) => ({ path })),
])('a release may have a route with %j', (changes) => {
  expect(errorsOf({ ...release, ...withRoute(changes) })).toEqual([]);
});

test.each([
  ...['name', 'version', 'api', 'entry', 'routes', 'files'].map((field) => ({ [field]: undefined })),
  ...['', 'MF-legal', '../mf-legal', '1legal', 'a'.repeat(64)].map((name) => ({ name })),
  ...['1.2.0', '1.2.0-3F9AC2D10B7E', '1.2.0-3f9ac2d10b7e/..', 'v1.2.0-3f9ac2d10b7e'].map((version) => ({ version })),
  ...['', '../secret.js', 'a/../secret.js', '/etc/passwd', 'a\\b.js', 'a%2fb.js', 'a.js\n'].flatMap((name) => [
    withFile(name),
    { entry: name },
  ]),
  ...['', 'A'.repeat(64), `sha256-${'A'.repeat(64)}`, `sha384-${'A'.repeat(63)}`, `${integrity} sha384-x`].map((bad) =>
    withFile('entry.js', { integrity: bad }),
  ),
  ...['', 'terms', '/terms/', '//terms', '/Terms', '/:id', '/*', '/a/../b', '/a b', '/terms?x=1', '/terms#a'].map(
    (path) => withRoute({ path }),
  ),
  ...[{ description: 'a'.repeat(501) }, { frame: 'fancy' }, { fragment: '../terms.html' }].map(withRoute),
])('a release with %j is rejected', (changes) => {
  expect(errorsOf({ ...release, ...changes })).toContainEqual(expect.stringMatching(/^release\.json: /));
});

test.each<[object, string]>([
  [{ version: '\u001b[2J\n\u202e' }, 'release.json: version “ [2J ” must be <package version>-<12 hex digits>.'],
  [withRoute({ title: 'x'.repeat(201) }), 'release.json: routes[0] (/terms).title must have 200 characters or fewer.'],
  [withRoute({ path: '/api/a' }), 'release.json: routes[0] (/api/a).path “/api/a” is reserved for the shell server.'],
  [{ name: 'mf-help' }, 'It is a release of mf-help, not of mf-legal.'],
  [{ api: 2 }, 'It needs API 2, and the site has 1: release shell and backend first, then mf-legal.'],
  [{ entry: 'gone.js' }, 'Its entry gone.js is not among its files.'],
  [withRoute({ files: ['gone.css'] }), 'gone.css, which /terms needs, is not among its files.'],
  [withRoute({ fragment: 'gone.html' }), 'gone.html, which /terms needs, is not among its files.'],
  [{ routes: [route, route] }, 'Two of its routes have the path /terms.'],
  [{ files: sized(1, ...many(2_001, (index) => `${index}.js`)) }, 'It has 2001 files; at most 2000 are possible.'],
  [routes(201), 'It has 201 routes; at most 200 are possible.'],
  [{ redirects: many(101, () => '/terms') }, 'It has 101 redirects; at most 100 are possible.'],
  [withRoute({ files: Array(101).fill('entry.js') }), 'It has 101 files for one route; at most 100 are possible.'],
  [{ files: sized(10_000_001, 'entry.js', 'terms.js') }, 'It has 20000002 bytes; at most 20000000 are possible.'],
  [withStyles(1, 1_000_001), 'The page /page-0 with its styles has 1000001 bytes; at most 1000000 are possible.'],
  [withStyles(11, 1_000_000), 'All pages together has 11000000 bytes; at most 10000000 are possible.'],
  [routes(21, () => ({ title: 'é'.repeat(200) })), 'What every page of the site has of it (paths and titles'],
  [routes(150, () => ({ description: 'é'.repeat(400) })), 'The metadata of its routes has '],
])('the error of %j names what is wrong', (changes, error) => {
  expect(errorsOf({ ...release, ...changes })).toContainEqual(expect.stringContaining(error));
});

test.each<[unknown, string]>([
  ['', 'release.json is empty.'],
  ['<!doctype html>\n<html lang="en"><head><title>Not found', 'release.json is not JSON: <!doctype html>'],
  ['['.repeat(140_000) + ']'.repeat(140_000), 'release.json: it: Invalid input: expected object, received array.'],
  ['ü'.repeat(150_001), `release.json has more than ${releaseLimits.manifest} bytes.`],
])('a text that is no release is named: case %#', (text, error) => {
  expect(errorsOf(text)).toEqual([expect.stringContaining(error)]);
});

test('all errors are named at once, but at most 20', () => {
  expect(errorsOf({ ...release, name: 'mf-help', api: 9, entry: 'gone.js' })).toHaveLength(3);
  const errors = errorsOf({ ...release, ...routes(25, () => ({ title: '' })) });
  expect([errors.length, errors.at(-1)]).toEqual([21, 'And 5 more.']);
});

test('the name of a stored file is its integrity value, safe in URLs and file systems', () => {
  expect(hashOf('sha384-a+b/c')).toBe('a-b_c');
});
