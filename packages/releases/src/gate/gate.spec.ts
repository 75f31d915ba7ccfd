import { contractVersion, formerContractVersion } from '@daybook/contract/release';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { integrity, releaseOf, routeOf, versionOf, wholeRelease } from '../test/releases.ts';
import { checkCollisions, type RejectionReason, ReleaseRejection, readRelease, releaseLimits } from './gate.ts';

const origin = 'http://mf-legal:8080';
const good = wholeRelease('mf-legal', versionOf(1));
const { entry, files } = good;

const filesNamed = (...names: readonly string[]) =>
  Object.fromEntries([entry, ...names].map((name) => [name, { integrity, size: 1 }]));
const manyFiles = (count: number, size = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.js`, { integrity, size }]));
const manyRoutes = (count: number) => Array.from({ length: count }, (_, index) => routeOf(`/page-${index}`));

const read = (changes: object, remote = 'mf-legal') =>
  readRelease(JSON.stringify({ ...good, ...changes }), remote, origin);

/** Returns the rejection of a function. */
function rejectionOf(attempt: () => unknown): { reason: RejectionReason; message: string } {
  try {
    attempt();
  } catch (error) {
    const { name, reason, message } = error as { name: string; reason: RejectionReason; message: string };
    expect(name).toBe('ReleaseRejection');
    return { reason, message };
  }
  throw new Error('It was not rejected.');
}

describe('a release', () => {
  test('returns a valid release unchanged', () => {
    expect(read({})).toEqual(good);
  });

  test('accepts chunks in folders, equal names in several folders, and unused files', () => {
    const named = filesNamed('a.js', 'chunks/a.js', 'chunks/deep/a.js', 'chunks/deep.js', 'fonts/serif.woff2');
    expect(read({ files: named, routes: [routeOf('/terms', { files: ['chunks/a.js', 'a.js'] })] }).files).toEqual(
      named,
    );
  });

  test('rejects a release of another remote', () => {
    expect(rejectionOf(() => read({}, 'mf-privacy'))).toEqual({
      reason: 'foreign',
      message: 'it is a release of mf-legal',
    });
  });

  test('accepts a release of the contract before', () => {
    expect(read({ contract: formerContractVersion })).toEqual({ ...good, contract: formerContractVersion });
  });

  test.each([
    [contractVersion + 1, 'it needs a newer shell: '],
    [contractVersion + 0.5, 'it needs a newer shell: '],
    [formerContractVersion - 1, 'it is too old for this shell: '],
    [-1, 'it is too old for this shell: '],
  ])('rejects a release built for contract %p, even if nothing else is valid', (contract, reason) => {
    const message = expect.stringContaining(`${reason}it is built for contract ${contract}, and this shell serves`);
    expect(rejectionOf(() => read({ contract }))).toEqual({ reason: 'contract', message });
    expect(rejectionOf(() => readRelease(JSON.stringify({ contract }), 'mf-legal', origin)).reason).toBe('contract');
  });
});

describe('release.json', () => {
  test.each([
    [
      'an HTML page',
      '<!doctype html>\n<html lang="en"><head><title>Not found</title>',
      '<!doctype html> <html lang="en"><head><t …',
    ],
    ['an empty file', '', ''],
    ['a truncated file', '{"name": "mf-le', '{"name": "mf-le'],
    ['terminal control characters', '\u001b[2J\u202eevil\u0007', '[2J evil'],
  ])('rejects %s and quotes it in one short line', (_what, text, quoted) => {
    expect(rejectionOf(() => readRelease(text, 'mf-legal', origin))).toEqual({
      reason: 'malformed',
      message: `${origin}/release.json is not JSON: ${quoted}`,
    });
  });

  test.each(['', 'x'])(
    'truncates the reason to text that PostgreSQL stores, which has no half of a character: %j',
    (start) => {
      const { message } = new ReleaseRejection('fragment', start + '😀'.repeat(400));
      expect(message.isWellFormed()).toBe(true);
    },
  );

  test.each([null, [], 7, '"text"', {}, { ...good, version: 'latest' }, { ...good, contract: '1' }])(
    'rejects invalid JSON content: %j',
    (json) => {
      const { reason, message } = rejectionOf(() => readRelease(JSON.stringify(json), 'mf-legal', origin));
      expect(reason).toBe('malformed');
      expect(message).toMatch(/^release\.json is not valid: \w+/);
    },
  );

  test('reports a thousand errors in one short line', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `../\u001b[2J\n${index}`);
    const { message } = rejectionOf(() => read({ files: filesNamed(...names) }));
    expect(message.length).toBeLessThan(500);
    expect(message).not.toMatch(/[\p{Cc}]/u);
  });

  test('does not accept names of Object.prototype as files', () => {
    const text = JSON.stringify(good).replace(
      '"files":{',
      `"files":{"__proto__":{"integrity":"${integrity}","size":1},`,
    );
    expect(Object.keys(readRelease(text, 'mf-legal', origin).files)).toEqual([entry]);
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(rejectionOf(() => read({ entry: name })).reason).toBe('incomplete');
      expect(rejectionOf(() => read({ routes: [routeOf('/terms', { files: [name] })] })).reason).toBe('incomplete');
    }
  });
});

describe('the gate', () => {
  test('rejects a release without its entry', () => {
    expect(rejectionOf(() => read({ entry: 'remoteEntry.99999999.js' }))).toEqual({
      reason: 'incomplete',
      message: 'its entry remoteEntry.99999999.js is not among its files',
    });
  });

  test.each(['terms.0a1b2c3d.js', 'terms.0a1b2c3d.css'])('rejects a release without %s, which a page needs', (file) => {
    const routes = [routeOf('/privacy'), routeOf('/terms', { files: [entry, file] })];
    expect(rejectionOf(() => read({ routes }))).toEqual({
      reason: 'incomplete',
      message: `${file}, which /terms needs, is not among its files`,
    });
  });

  test('rejects a release without a fragment that a route names', () => {
    const routes = [routeOf('/terms', { files: [entry], fragment: 'fragments/terms.0a1b2c3d.html' })];
    expect(rejectionOf(() => read({ routes }))).toEqual({
      reason: 'incomplete',
      message: 'fragments/terms.0a1b2c3d.html, which /terms needs, is not among its files',
    });
  });

  test('accepts a release whose routes have no fragments', () => {
    expect(read({ routes: [routeOf('/terms')] }).routes[0]).not.toHaveProperty('fragment');
  });

  test('rejects a release that claims a path twice', () => {
    expect(rejectionOf(() => read({ routes: [routeOf('/terms'), routeOf('/terms')] }))).toEqual({
      reason: 'malformed',
      message: 'two of its routes have the path /terms',
    });
  });

  test.each(['../evil.js', '/etc/passwd', 'a/../../evil.js', 'a\\..\\evil.js', '.hidden', 'C:evil.js'])(
    'rejects a release with the file %p, which leads out of its folder',
    (name) => {
      expect(rejectionOf(() => read({ files: filesNamed(name) })).reason).toBe('malformed');
    },
  );

  test.each([
    [['release.json'], 'it lists release.json among its files, which is its description'],
    [['release.jws'], 'it lists release.jws among its files, which is its description'],
    [['Release.JSON'], 'its file Release.JSON is release.json on a case-insensitive file system'],
    [['a.js', 'A.js'], 'its file A.js is a.js on a case-insensitive file system'],
    [['a', 'a/b.js'], 'its file a is a folder of its file a/b.js'],
    [['a/B/c/d.js', 'A/b'], 'its file A/b is a folder of its file a/B/c/d.js'],
    [['release.json/a.js'], 'its file release.json is a folder of its file release.json/a.js'],
    [[`${'a/'.repeat(9)}a.js`], `its file ${'a/'.repeat(9)}a.js is in more than 8 folders`],
    [
      Array.from({ length: 101 }, (_, each) => `${each}/a.js`),
      'its files are in 101 folders; at most 100 are accepted',
    ],
    [[`${'a'.repeat(200)}.js`], `${'a'.repeat(40)} … has 203 characters; at most 200 are accepted`],
  ])("rejects the files %j, which can't be stored in one folder", (names, message) => {
    expect(rejectionOf(() => read({ files: filesNamed(...names) }))).toEqual({ reason: 'malformed', message });
  });

  test('rejects every file that a web server would send in place of the description', () => {
    const description = fc.constantFrom('release.json', 'release.jws');
    const extension = fc.oneof(
      fc.constantFrom('br', 'gz', 'deflate', 'zst', 'br/a.js'),
      fc.stringMatching(/^[\w-][\w.-]*$/),
    );
    const name = fc
      .tuple(description, extension)
      .chain(([file, rest]) => fc.mixedCase(fc.constant(`${file}.${rest}`.slice(0, 100))));
    fc.assert(
      fc.property(name, (file) => {
        expect(rejectionOf(() => read({ files: filesNamed(file) }))).toEqual({
          reason: 'malformed',
          message: `its file ${file} would be sent in place of its description`,
        });
      }),
    );
    const others = ['chunks/release.json.br', 'release.jsonld', 'release.js.br', 'my-release.json.gz'];
    expect(Object.keys(read({ files: filesNamed(...others) }).files)).toEqual([entry, ...others]);
  });

  test('rejects a version that is too long for a folder name', () => {
    expect(rejectionOf(() => read({ version: `${'1'.repeat(300)}.0.0-00000000` })).reason).toBe('malformed');
  });
});

describe('the limits', () => {
  const atMost = { ...manyFiles(releaseLimits.files - 1), [entry]: { integrity, size: 1 } };
  const atMostBytes = { [entry]: { integrity, size: 1 }, ...manyFiles(2, releaseLimits.fileSize) };
  const { fileSize, size } = releaseLimits;

  test.each([
    ['2000 files', { files: atMost }],
    ['a file of 20 MB', { files: atMostBytes }],
    ['60 MB', { files: { [entry]: { integrity, size: 0 }, ...manyFiles(size / fileSize, fileSize) } }],
    ['200 routes', { routes: manyRoutes(200) }],
  ])('accept a release of %s', (_what, changes) => {
    expect(() => read(changes)).not.toThrow();
  });

  test.each([
    ['it has 2001 files; at most 2000 are accepted', { files: { ...atMost, 'a.js': { integrity, size: 1 } } }],
    [
      'its file a.js has 20000001 bytes; at most 20000000 are accepted',
      { files: { ...files, 'a.js': { integrity, size: fileSize + 1 } } },
    ],
    [
      'its file a.js has 9007199254740991 bytes; at most 20000000 are accepted',
      { files: { ...files, 'a.js': { integrity, size: Number.MAX_SAFE_INTEGER } } },
    ],
    [
      'it has 60000001 bytes; at most 60000000 are accepted',
      { files: { [entry]: { integrity, size: 1 }, ...manyFiles(size / fileSize, fileSize) } },
    ],
    ['it has 201 routes; at most 200 are accepted', { routes: manyRoutes(201) }],
    [
      'the page /terms with its styles has 1000001 bytes; at most 1000000 are accepted',
      {
        routes: [routeOf('/terms', { files: ['a.css'] })],
        files: { ...files, 'a.css': { integrity, size: 1_000_001 } },
      },
    ],
  ])('reject more: %s', (message, changes) => {
    expect(rejectionOf(() => read(changes))).toEqual({ reason: 'too-large', message });
  });
});

describe('the paths of a release', () => {
  const routesOf = (...paths: readonly string[]) => paths.map((path) => routeOf(path));
  const terms = releaseOf('mf-legal', { routes: routesOf('/terms', '/privacy-policy') });
  const others = [
    releaseOf('mf-signup', { routes: routesOf('/') }),
    releaseOf('mf-offers', { routes: routesOf('/redirect') }),
  ];

  test('accepts paths that no other remote claims', () => {
    expect(() => checkCollisions(terms, others)).not.toThrow();
    expect(() => checkCollisions(terms, [])).not.toThrow();
  });

  test('rejects a path of another remote and names its owner', () => {
    const release = { ...terms, routes: routesOf('/terms', '/redirect') };
    expect(rejectionOf(() => checkCollisions(release, others))).toEqual({
      reason: 'collision',
      message: `its route /redirect belongs to mf-offers@${others[1]?.version}`,
    });
  });
});
