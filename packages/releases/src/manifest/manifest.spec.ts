import { integrity, routeOf, versionOf, wholeRelease } from '@daybook/testing/releases';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { releaseLimits } from './limits.ts';
import { readManifest } from './manifest.ts';
import { ReleaseRejection } from './rejection.ts';

// The rejected releases are in packages/testing/src/faults.ts.

const good = wholeRelease('mf-legal', versionOf(1));
const { entry } = good;

const filesNamed = (...names: readonly string[]) =>
  Object.fromEntries([entry, ...names].map((name) => [name, { integrity, size: 1 }]));
const manyFiles = (count: number, size = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.js`, { integrity, size }]));

const read = (changes: object) => readManifest(JSON.stringify({ ...good, ...changes }), 'mf-legal');

const rejection = (reason: string, message: string) =>
  expect.objectContaining({ name: 'ReleaseRejection', reason, message: expect.stringContaining(message) });

describe('the check of a manifest', () => {
  const { files, fileSize, size } = releaseLimits;

  test.each([
    ['as it was built', {}],
    [
      'with chunks in folders, equal names in several folders, and unused files',
      {
        files: filesNamed('a.js', 'chunks/a.js', 'chunks/deep/a.js', 'chunks/deep.js', 'fonts/serif.woff2'),
        routes: [routeOf('/terms', { files: ['chunks/a.js', 'a.js'] })],
      },
    ],
    [
      'with names that resemble those of descriptions',
      { files: filesNamed('chunks/release.json.br', 'release.jsonld', 'release.js.br', 'my-release.json.gz') },
    ],
    ['of 2000 files', { files: { ...manyFiles(files - 1), [entry]: { integrity, size: 1 } } }],
    ['with files of 20 MB', { files: { [entry]: { integrity, size: 1 }, ...manyFiles(2, fileSize) } }],
    ['of 60 MB', { files: { [entry]: { integrity, size: 0 }, ...manyFiles(size / fileSize, fileSize) } }],
    ['of 100 routes', { routes: Array.from({ length: 100 }, (_, index) => routeOf(`/page-${index}`)) }],
    ['with redirects', { redirects: { '/old': '/terms', '/older': '/terms' } }],
    [
      'with a page that moves, and one that was taken over',
      {
        routes: [routeOf('/terms', { movesTo: 'mf-help' }), routeOf('/faq', { takenFrom: 'mf-help' })],
      },
    ],
  ])('accepts a release %s, unchanged', (_what, changes) => {
    expect(read(changes)).toStrictEqual({ ...good, ...changes });
  });

  test.each(['', 'x'])(
    'truncates the reason to text that PostgreSQL stores, which has no half of a character: %j',
    (start) => {
      const { message } = new ReleaseRejection('fragment', start + '😀'.repeat(400));
      expect(message.isWellFormed()).toBe(true);
    },
  );

  test('does not accept names of Object.prototype as files', () => {
    const listed = `"files":{"__proto__":{"integrity":"${integrity}","size":1},`;
    const text = JSON.stringify(good).replace('"files":{', listed);
    expect(Object.keys(readManifest(text, 'mf-legal').files)).toEqual([entry]);
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      for (const changes of [{ entry: name }, { routes: [routeOf('/terms', { files: [name] })] }])
        expect(() => read(changes)).toThrow(rejection('incomplete', name));
  });

  test('rejects every file that a web server would send in place of the manifest', () => {
    const manifest = fc.constantFrom('release.json', 'release.jws');
    const extension = fc.oneof(
      fc.constantFrom('br', 'gz', 'deflate', 'zst', 'br/a.js'),
      fc.stringMatching(/^[\w-][\w.-]*$/),
    );
    const name = fc
      .tuple(manifest, extension)
      .chain(([file, rest]) => fc.mixedCase(fc.constant(`${file}.${rest}`.slice(0, 100))));
    fc.assert(
      fc.property(name, (file) => {
        expect(() => read({ files: filesNamed(file) })).toThrow(
          rejection('malformed', `its file ${file} would be sent in place of its manifest`),
        );
      }),
    );
  });
});
