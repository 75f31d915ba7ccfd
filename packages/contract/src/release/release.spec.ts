import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { contractVersion } from './contract-version.ts';
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
  version: '1.2.0-3f9ac2d1',
  contract: contractVersion,
  designSystem: null,
  entry: 'remoteEntry.0a1b2c3d.js',
  routes: [route],
  files: { 'remoteEntry.0a1b2c3d.js': { integrity, size: 12 }, 'fonts/serif.0a1b2c3d.woff2': { integrity, size: 0 } },
};

const accepts = (changes: object) => releaseSchema.safeParse({ ...release, ...changes }).success;

describe('a release', () => {
  test('is parsed unchanged', () => {
    expect(releaseSchema.parse(release)).toEqual(release);
  });

  test('may name a fragment for a route, by a path inside the release only', () => {
    expect(accepts({ routes: [{ ...route, fragment: 'fragments/terms.0a1b2c3d.html' }] })).toBe(true);
    expect(accepts({ routes: [{ ...route, fragment: '../terms.html' }] })).toBe(false);
  });

  test('may have unknown fields: an older shell accepts a release of a newer build', () => {
    const known = releaseSchema.parse({ ...release, more: 1, routes: [{ ...route, more: 1 }] });
    expect(known).toEqual(release);
  });

  test.each(['name', 'version', 'contract', 'designSystem', 'entry', 'routes', 'files'])(
    'is rejected without its %s',
    (field) => {
      expect(accepts({ [field]: undefined })).toBe(false);
    },
  );

  test.each(['', 'MF-legal', '../mf-legal', '1legal', 'a'.repeat(64)])('is rejected with the name %p', (name) => {
    expect(accepts({ name })).toBe(false);
  });

  test.each(['1.2.0', '1.2.0-3F9AC2D1', '1.2.0-3f9ac2d', '1.2.0-3f9ac2d1/..', 'v1.2.0-3f9ac2d1'])(
    'is rejected with the version %p',
    (version) => {
      expect(accepts({ version })).toBe(false);
    },
  );

  test.each([
    '',
    '../secret.js',
    'a/../secret.js',
    '/etc/passwd',
    'a\\b.js',
    '.hidden',
    'C:evil.js',
    'a%2fb.js',
    'a.js\n',
  ])('is rejected if it lists the file %p', (file) => {
    expect(accepts({ files: { ...release.files, [file]: { integrity, size: 1 } } })).toBe(false);
    expect(accepts({ entry: file })).toBe(false);
  });

  test.each(['', 'A'.repeat(64), `sha256-${'A'.repeat(64)}`, `sha384-${'A'.repeat(63)}`, `${integrity} sha384-x`])(
    'is rejected if a file has the integrity %p',
    (bad) => {
      expect(accepts({ files: { 'remoteEntry.0a1b2c3d.js': { integrity: bad, size: 1 } } })).toBe(false);
    },
  );

  test.each(['/', '/terms', '/offer-landing/dental-savings', '/a1'])('may claim the path %p', (path) => {
    expect(accepts({ routes: [{ ...route, path }] })).toBe(true);
  });

  test.each(['', 'terms', '/terms/', '//terms', '/Terms', '/:id', '/*', '/a/../b', '/a b', '/terms?x=1', '/terms#a'])(
    'may not claim the path %p',
    (path) => {
      expect(accepts({ routes: [{ ...route, path }] })).toBe(false);
    },
  );

  test.each([
    { title: 'a'.repeat(201) },
    { description: 'a'.repeat(501) },
    { path: `/${'a'.repeat(200)}` },
    { frame: 'fancy' },
  ])('is rejected if a route has %p', (changes) => {
    expect(accepts({ routes: [{ ...route, ...changes }] })).toBe(false);
  });
});

describe('any release.json', () => {
  const hostileText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', 'constructor', 'toString', '..', '.', '/', '\0', 'a'.repeat(10_000)),
    fc.stringMatching(/^[\w./-]*$/),
  );
  const hostileFiles = fc.dictionary(hostileText, fc.oneof(fc.constant({ integrity, size: 1 }), fc.jsonValue()));
  const hostileRelease = fc
    .record(
      {
        name: fc.oneof(fc.constant('mf-legal'), hostileText, fc.jsonValue()),
        version: fc.oneof(fc.constant('1.2.0-3f9ac2d1'), hostileText),
        contract: fc.oneof(fc.constant(contractVersion), fc.jsonValue()),
        entry: hostileText,
        routes: fc.oneof(fc.constant([route]), fc.array(fc.oneof(fc.constant(route), fc.jsonValue()))),
        files: hostileFiles,
      },
      { requiredKeys: [] },
    )
    .map((changes) => JSON.parse(JSON.stringify({ ...release, ...changes })));

  test('is accepted or rejected, and parsed the same again when it was accepted', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), hostileRelease), (json) => {
        const { data } = releaseSchema.safeParse(json);
        if (data !== undefined) expect(releaseSchema.parse(JSON.parse(JSON.stringify(data)))).toEqual(data);
      }),
    );
  });

  test('that is accepted lists only files inside its own folder, with names valid in a file system', () => {
    const folder = '/releases/mf-legal/1.2.0-3f9ac2d1';
    fc.assert(
      fc.property(hostileText, (file) => {
        if (!accepts({ entry: file })) return;
        expect(path.posix.resolve(folder, file)).toBe(`${folder}/${file}`);
        expect(path.win32.resolve('C:\\releases', file)).toBe(`C:\\releases\\${file.replaceAll('/', '\\')}`);
        expect(new URL(file, 'https://site.example/remotes/').href).toBe(`https://site.example/remotes/${file}`);
      }),
      { numRuns: 1_000 },
    );
  });

  test('that is accepted claims only paths that a URL does not rewrite', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.stringMatching(/^\/[a-z0-9/-]*$/)), (claimed) => {
        if (accepts({ routes: [{ ...route, path: claimed }] }))
          expect(new URL(`https://site.example${claimed}`).href).toBe(`https://site.example${claimed}`);
      }),
      { numRuns: 1_000 },
    );
  });
});
