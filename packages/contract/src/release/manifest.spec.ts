import { expect, test } from '@jest/globals';
import { hashOf, integrityOf, issueTexts, ManifestError, readManifest, releaseLimits } from './manifest.ts';
import { releaseSchema } from './release.ts';

const file = { integrity: integrityOf(Buffer.from('a')), size: 1 };
const route = { path: '/terms', title: 'Terms', description: 'Text', frame: 'site', files: ['terms.js'] };
const release = {
  name: 'mf-legal',
  version: '1.0.0-3f9ac2d10b7e',
  api: 1,
  entry: 'entry.js',
  routes: [route],
  files: { 'entry.js': file, 'terms.js': file },
};

const read = (json: unknown) => readManifest(typeof json === 'string' ? json : JSON.stringify(json), 'mf-legal', 1);

function errorsOf(json: unknown): readonly string[] {
  try {
    read(json);
  } catch (error) {
    if (error instanceof ManifestError) return error.errors;
    throw error;
  }
  return [];
}

const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const routes = (count: number, changes: (index: number) => object = () => ({})) =>
  many(count, (index) => ({ ...route, path: `/page-${index}`, ...changes(index) }));
const sized = (size: number, ...names: string[]) => Object.fromEntries(names.map((name) => [name, { ...file, size }]));
const withStyles = (count: number, size: number) => ({
  routes: routes(count, (index) => ({ files: [`${index}.css`] })),
  files: { ...release.files, ...sized(size, ...many(count, (index) => `${index}.css`)) },
});

test('a release.json is parsed unchanged', () => {
  expect(read(release)).toEqual(release);
});

test.each<[object, string]>([
  [{ version: 'latest' }, 'release.json: version “latest” must be <package version>-<12 hex digits>.'],
  [{ entry: undefined }, 'release.json: entry: Invalid input: expected string, received undefined.'],
  [
    { routes: [{ ...route, title: 'x'.repeat(201) }] },
    'release.json: routes[0] (/terms).title must have 200 characters or fewer.',
  ],
  [
    { routes: [{ ...route, path: '/api/a' }] },
    'release.json: routes[0] (/api/a).path “/api/a” is reserved for the shell server.',
  ],
  [{ files: { ...release.files, '../a.js': file } }, 'release.json: files.../a.js: Invalid key in record.'],
  [{ name: 'mf-help' }, 'It is a release of mf-help, not of mf-legal.'],
  [{ api: 2 }, 'It needs API 2, and the site has 1: release shell and backend first, then mf-legal.'],
  [{ entry: 'gone.js' }, 'Its entry gone.js is not among its files.'],
  [{ routes: [{ ...route, files: ['gone.css'] }] }, 'gone.css, which /terms needs, is not among its files.'],
  [{ routes: [{ ...route, fragment: 'gone.html' }] }, 'gone.html, which /terms needs, is not among its files.'],
  [{ routes: [route, route] }, 'Two of its routes have the path /terms.'],
  [{ files: sized(1, ...many(2_001, (index) => `${index}.js`)) }, 'It has 2001 files; at most 2000 are possible.'],
  [{ routes: routes(201) }, 'It has 201 routes; at most 200 are possible.'],
  [
    { redirects: Object.fromEntries(many(101, (index) => [`/${index}`, '/terms'])) },
    'It has 101 redirects; at most 100 are possible.',
  ],
  [
    { routes: [{ ...route, files: Array(101).fill('entry.js') }] },
    'It has 101 files for one route; at most 100 are possible.',
  ],
  [{ files: sized(10_000_001, 'entry.js', 'terms.js') }, 'It has 20000002 bytes; at most 20000000 are possible.'],
  [withStyles(1, 1_000_001), 'The page /page-0 with its styles has 1000001 bytes; at most 1000000 are possible.'],
  [withStyles(11, 1_000_000), 'All pages together has 11000000 bytes; at most 10000000 are possible.'],
])('the error of %j names what is wrong', (changes, error) => {
  expect(errorsOf({ ...release, ...changes })).toContain(error);
});

test.each([
  [
    { routes: routes(21, () => ({ title: 'é'.repeat(200) })) },
    /^What every page of the site has of it .* has \d+ bytes/,
  ],
  [{ routes: routes(150, () => ({ description: 'é'.repeat(400) })) }, /^The metadata of its routes has \d+ bytes/],
])('text that every page has is limited in bytes: case %#', (changes, error) => {
  expect(errorsOf({ ...release, ...changes })).toContainEqual(expect.stringMatching(error));
});

test.each<[unknown, string]>([
  ['', 'release.json is empty.'],
  ['<!doctype html>\n<html lang="en"><head><title>Not found', 'release.json is not JSON: <!doctype html>'],
  ['{"name": "mf-le', 'release.json is not JSON: {"name": "mf-le'],
  ['['.repeat(140_000) + ']'.repeat(140_000), 'release.json: it: Invalid input: expected object, received array.'],
  [null, 'release.json: it: Invalid input: expected object, received null.'],
  ['ü'.repeat(150_001), `release.json has more than ${releaseLimits.manifest} bytes.`],
])('a text that is no release is named: case %#', (text, error) => {
  const [found, ...others] = errorsOf(typeof text === 'string' ? text : JSON.stringify(text));
  expect([found, others]).toEqual([expect.stringContaining(error), []]);
});

test('all errors are named at once', () => {
  expect(errorsOf({ ...release, name: 'mf-help', api: 9, entry: 'gone.js' })).toHaveLength(3);
});

test('of very many errors the first 20 are named', () => {
  const errors = errorsOf({ ...release, routes: routes(25, () => ({ title: '' })) });
  expect([errors.length, errors.at(-1)]).toEqual([21, 'And 5 more.']);
});

test('an error is one line without control characters', () => {
  const json = { ...release, version: '\u001b[2J\n\u202e' };
  const { error } = releaseSchema.safeParse(json);
  expect(issueTexts(error as NonNullable<typeof error>, json)).toEqual([
    'version “ [2J ” must be <package version>-<12 hex digits>',
  ]);
});

test('the name of a stored file is its integrity value, safe in URLs and file systems', () => {
  const integrity = integrityOf(Buffer.from('3'));
  expect(integrity).toMatch(/[+/]/);
  expect(hashOf(integrity)).toBe(Buffer.from(integrity.slice(7), 'base64').toString('base64url'));
});
