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
const withFile = (file: string, integrityOfFile = integrity) => ({
  files: { ...release.files, [file]: { integrity: integrityOfFile, size: 1 } },
});
const withRoute = (changes: object) => ({ routes: [{ ...route, ...changes }] });
const hostileFiles = ['', '../secret.js', 'a/../secret.js', '/etc/passwd', 'a\\b.js', '.hidden', 'C:evil.js'];
const hostilePaths = ['', 'terms', '/terms/', '//terms', '/Terms', '/:id', '/*', '/a/../b', '/a b', '/terms?x=1'];

describe('a release', () => {
  test('is parsed unchanged, without unknown fields: an older shell accepts a release of a newer build', () => {
    expect(releaseSchema.parse(release)).toEqual(release);
    expect(releaseSchema.parse({ ...release, ...withRoute({ more: 1 }), more: 1 })).toEqual(release);
  });

  test.each([
    { fragment: 'fragments/terms.0a1b2c3d.html' },
    ...['/', '/terms', '/offer-landing/dental-savings', '/a1'].map((claimed) => ({ path: claimed })),
  ])('may have a route with %j', (changes) => {
    expect(accepts(withRoute(changes))).toBe(true);
  });

  test.each([
    ...['name', 'version', 'contract', 'designSystem', 'entry', 'routes', 'files'].map((field) => ({
      [field]: undefined,
    })),
    ...['', 'MF-legal', '../mf-legal', '1legal', 'a'.repeat(64)].map((name) => ({ name })),
    ...['1.2.0', '1.2.0-3F9AC2D1', '1.2.0-3f9ac2d', '1.2.0-3f9ac2d1/..', 'v1.2.0-3f9ac2d1'].map((version) => ({
      version,
    })),
    ...[...hostileFiles, 'a%2fb.js', 'a.js\n'].flatMap((file) => [withFile(file), { entry: file }]),
    ...['', 'A'.repeat(64), `sha256-${'A'.repeat(64)}`, `sha384-${'A'.repeat(63)}`, `${integrity} sha384-x`].map(
      (bad) => withFile('remoteEntry.0a1b2c3d.js', bad),
    ),
    ...[...hostilePaths, '/terms#a', `/${'a'.repeat(200)}`].map((claimed) => withRoute({ path: claimed })),
    ...[{ title: 'a'.repeat(201) }, { description: 'a'.repeat(501) }, { frame: 'fancy' }].map(withRoute),
    withRoute({ fragment: '../terms.html' }),
  ])('is rejected with %j', (changes) => {
    expect(accepts(changes)).toBe(false);
  });
});

describe('any release.json', () => {
  const hostileText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', 'constructor', 'toString', '..', '.', '/', '\0', 'a'.repeat(10_000)),
    fc.stringMatching(/^[\w./-]*$/),
  );
  const hostileRelease = fc
    .record(
      {
        name: fc.oneof(fc.constant('mf-legal'), hostileText, fc.jsonValue()),
        version: fc.oneof(fc.constant('1.2.0-3f9ac2d1'), hostileText),
        contract: fc.oneof(fc.constant(contractVersion), fc.jsonValue()),
        entry: hostileText,
        routes: fc.oneof(fc.constant([route]), fc.array(fc.oneof(fc.constant(route), fc.jsonValue()))),
        files: fc.dictionary(hostileText, fc.oneof(fc.constant({ integrity, size: 1 }), fc.jsonValue())),
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
