import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FileSource } from '../origins/origin.ts';
import { versionOf, wholeRelease } from '../test/releases.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { describeFile, routeOf } from '../test/temporary-site.ts';
import { checkFragments } from './checked-fragments.ts';
import { ReleaseCache } from './release-cache.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];

let folder: string;
let problems: string[];
let cache: ReleaseCache;
/** Opens the folder, like the server after a restart. */
const open = () => new ReleaseCache(folder, (problem) => problems.push(problem));
beforeEach(() => {
  folder = makeTemporaryFolder();
  problems = [];
  cache = open();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const placeOf = (...names: readonly string[]) => path.join(folder, ...names);
const orphanedFiles = () => (existsSync(placeOf('.incoming')) ? readdirSync(placeOf('.incoming')) : []);
const versions = (of = cache) => [first, second, third].filter((version) => of.find('mf-legal', version));
const entryOf = (version: string) => wholeRelease('mf-legal', version).entry;

/** Adds a release with this source of its file. */
function addFrom(read: FileSource, of = cache, version = first, signal = new AbortController().signal) {
  const release = wholeRelease('mf-legal', version);
  return of.add(release, JSON.stringify(release), read, signal);
}
const giving = (content: string): FileSource =>
  async function* read() {
    yield Buffer.from(content);
  };

/** Adds a release with this content of its file. */
const add = (name: string, version: string, content = version) =>
  cache.add(
    wholeRelease(name, version, {}, content),
    JSON.stringify(wholeRelease(name, version, {}, content)),
    giving(content),
    new AbortController().signal,
  );

describe('the fragments of a release', () => {
  const fragment = 'fragments/terms.00000001.html';
  const html = '<h1 class=a>Terms</h1><br/>';

  function addWith(text: string | Buffer, of = cache, signal = new AbortController().signal) {
    const content = Buffer.from(text);
    const release = wholeRelease('mf-legal', first, {
      routes: [routeOf('/terms', { fragment })],
      files: { ...wholeRelease('mf-legal', first).files, [fragment]: describeFile(content) },
    });
    const read: FileSource = async function* read(file) {
      yield file === fragment ? content : Buffer.from(first);
    };
    return of.add(release, JSON.stringify(release), read, signal);
  }
  const checkedForm = (of = cache) => {
    const { fragments } = of.find('mf-legal', first) ?? {};
    return fragments && readFileSync(path.join(fragments.folder, fragment), 'utf8');
  };

  test('are stored as serialized by the parser, beside the unchanged files', async () => {
    await addWith(html);
    expect(checkedForm()).toBe('<h1 class="a">Terms</h1><br>');
    expect(cache.find('mf-legal', first)?.fragments?.files).toEqual({
      [fragment]: describeFile(Buffer.from('<h1 class="a">Terms</h1><br>')),
    });
    expect(readFileSync(placeOf('mf-legal', first, fragment), 'utf8')).toBe(html);
    expect(checkedForm(open())).toBe('<h1 class="a">Terms</h1><br>');
  });

  test.each([
    ['is cut off', () => writeFileSync(placeOf('mf-legal', first, '.checked/files', fragment), '<h1')],
    ['is gone', () => rmSync(placeOf('mf-legal', first, '.checked/files', fragment))],
    ['is in no index that can be read', () => writeFileSync(placeOf('mf-legal', first, '.checked/index.json'), '{')],
  ])('leave a damaged release if one %s', async (_what, damage) => {
    await addWith(html);
    damage();
    expect(open().find('mf-legal', first)).toBeUndefined();
  });

  test.each([
    ['has no end', '<div>', `its fragment ${fragment} can't become part of a document: <div> has no end`],
    ['is not UTF-8', Buffer.from([0xc3, 0x28]), `its fragment ${fragment} is not UTF-8`],
  ])('reject a release if one %s', async (_what, content, message) => {
    await expect(addWith(content)).rejects.toMatchObject({ reason: 'fragment', message });
    expect(cache.find('mf-legal', first)).toBeUndefined();
    expect(orphanedFiles()).toEqual([]);
  });

  test('stop being checked when the server stops', async () => {
    const stopped = new Error('stopped');
    const controller = new AbortController();
    const added = addWith(html, cache, controller.signal);
    controller.abort(stopped);
    await expect(added).rejects.toBe(stopped);
    expect(orphanedFiles()).toEqual([]);
  });
});

describe('a release', () => {
  test('is stored with its files and its unchanged release.json', async () => {
    const release = wholeRelease('mf-legal', first);
    const text = JSON.stringify({ ...release, later: 'a field of the future' }, null, 1);
    await cache.add(release, text, giving(first), new AbortController().signal);
    expect(readFileSync(placeOf('mf-legal', first, 'release.json'), 'utf8')).toBe(text);
    expect(readFileSync(placeOf('mf-legal', first, release.entry), 'utf8')).toBe(first);
    expect(cache.find('mf-legal', first)).toMatchObject({ release, folder: placeOf('mf-legal', first) });
    expect(orphanedFiles()).toEqual([]);
  });

  test('is found after a restart', async () => {
    await add('mf-legal', first);
    expect(versions(open())).toEqual([first]);
  });

  test('is not found while it is being written', async () => {
    await addFrom(async function* read() {
      expect(cache.find('mf-legal', first)).toBeUndefined();
      expect(readdirSync(folder)).toEqual(['.incoming']);
      yield Buffer.from(first);
      expect(readdirSync(folder)).toEqual(['.incoming']);
    });
    expect(cache.find('mf-legal', first)).toBeDefined();
  });

  test.each(['', '..', 'latest', `../mf-legal/${first}`, `${first}/`, `${'1'.repeat(300)}.0.0-00000000`])(
    'is not found under the version %p',
    async (version) => {
      await add('mf-legal', first);
      expect(cache.find('mf-legal', version)).toBeUndefined();
    },
  );

  test('changes the generation when it is added or removed, not when it is read', async () => {
    const generations = [cache.generation];
    await add('mf-legal', first);
    generations.push(cache.generation);
    cache.find('mf-legal', first);
    cache.find('mf-legal', second);
    expect(cache.generation).toBe(generations[1]);
    await cache.remove('mf-legal', first);
    generations.push(cache.generation);
    expect(new Set(generations).size).toBe(3);
  });
});

describe('a failed attempt to store a release', () => {
  test.each<[string, FileSource, string]>([
    ['a file that was tampered with', giving('1.0.1-0000000X'), 'does not match its SHA-384 in release.json'],
    [
      'a file that is missing',
      () => {
        throw new Error('404');
      },
      '404',
    ],
    [
      'a cut-off connection',
      async function* read() {
        yield Buffer.from('1');
        throw new Error('reset');
      },
      'reset',
    ],
  ])('because of %s leaves no orphaned files', async (_what, read, message) => {
    await expect(addFrom(read)).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual(['.incoming']);
    expect(orphanedFiles()).toEqual([]);
    expect(cache.generation).toBe(0);
  });

  test('because of an abort leaves no orphaned files', async () => {
    const controller = new AbortController();
    const reading = addFrom(
      async function* read(_name, signal) {
        yield Buffer.from('1');
        controller.abort(new Error('stopped'));
        signal.throwIfAborted();
      },
      cache,
      first,
      controller.signal,
    );
    await expect(reading).rejects.toThrow('stopped');
    expect(orphanedFiles()).toEqual([]);
    expect(versions()).toEqual([]);
  });

  test('does not change existing releases', async () => {
    await add('mf-legal', first);
    await expect(addFrom(giving('x'), cache, second)).rejects.toThrow('has 1 bytes instead of');
    expect(versions(open())).toEqual([first]);
  });

  test('on a path that is no folder names it', async () => {
    writeFileSync(placeOf('.incoming'), '');
    await expect(addFrom(giving(first))).rejects.toThrow(placeOf('.incoming'));
  });
});

describe('a damaged release', () => {
  const damages: [string, (folder: string) => void, RegExp][] = [
    ['without a file', (folder) => rmSync(path.join(folder, entryOf(first))), /ENOENT/],
    ['with a file cut off', (folder) => truncateSync(path.join(folder, entryOf(first)), 3), /\.js is damaged$/],
    [
      'with a file of zeros, as after a power failure',
      (folder) => writeFileSync(path.join(folder, entryOf(first)), Buffer.alloc(first.length)),
      /\.js is damaged$/,
    ],
    ['without its description', (folder) => rmSync(path.join(folder, 'release.json')), /ENOENT/],
    ['with half a description', (folder) => truncateSync(path.join(folder, 'release.json'), 9), /is not JSON/],
    [
      'that is empty',
      (folder) => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
      },
      /ENOENT/,
    ],
    ['under another version', (folder) => renameSync(folder, folder.replace(first, second)), /is of 1\.0\.1-00000001$/],
  ];

  test.each(damages)('%s is not found, and is reported once', async (_what, damage, report) => {
    await add('mf-legal', first);
    damage(placeOf('mf-legal', first));
    const other = open();
    for (const version of [first, second, first, second]) expect(other.find('mf-legal', version)).toBeUndefined();
    expect(problems).toEqual([expect.stringMatching(report)]);
    expect(problems[0]).toMatch(/^mf-legal@1\.0\.\d-0000000\d in .* is damaged, and is fetched again: /);
  });

  test('is replaced when it is added again', async () => {
    await add('mf-legal', first);
    rmSync(placeOf('mf-legal', first, entryOf(first)));
    const [one, other] = [open(), open()];
    expect([versions(one), versions(other)]).toEqual([[], []]);
    const before = other.generation;
    await addFrom(giving(first), one);
    expect([versions(one), versions(other)]).toEqual([[first], [first]]);
    expect(other.generation).not.toBe(before);
    expect(orphanedFiles()).toEqual([]);
  });
});

test('a release that is fetched and mirrored at once is complete at every moment', async () => {
  let found: unknown;
  const slow: FileSource = async function* read() {
    await addFrom(giving(first));
    found = cache.find('mf-legal', first);
    yield Buffer.from(first);
  };
  await addFrom(slow);
  expect(found).toBeDefined();
  expect(cache.find('mf-legal', first)).toBe(found);
  expect(orphanedFiles()).toEqual([]);
});

test('a folder that was deleted is seen, and filled again', async () => {
  await add('mf-legal', first);
  expect(versions()).toEqual([first]);
  const before = cache.generation;
  rmSync(folder, { recursive: true });
  expect(versions()).toEqual([]);
  expect(cache.generation).not.toBe(before);
  await add('mf-legal', first);
  expect(versions()).toEqual([first]);
});

describe('releases that are not in the registry', () => {
  const isListed = (version: string) => version === second;
  const age = (version: string, seconds: number) => {
    const moment = Date.now() / 1000 - seconds;
    utimesSync(placeOf('mf-legal', version), moment, moment);
  };

  test('are removed ten minutes after they were added, when they must have been stored in it', async () => {
    for (const version of [first, second, third]) await add('mf-legal', version);
    await add('mf-privacy', first);
    mkdirSync(placeOf('mf-legal', 'lost+found'));
    for (const version of [first, second]) age(version, 601);
    age(third, 590);
    await cache.prune('mf-legal', isListed);
    expect(readdirSync(placeOf('mf-legal')).toSorted()).toEqual([second, third, 'lost+found']);
    expect(readdirSync(placeOf('mf-privacy'))).toEqual([first]);
    expect(orphanedFiles()).toEqual([]);
  });

  test('are no problem if there are none', async () => {
    await cache.prune('mf-of-next-year', isListed);
  });
});

test('what a killed server was writing is removed', async () => {
  await add('mf-legal', first);
  mkdirSync(placeOf('.incoming', 'old', 'chunks'), { recursive: true });
  await open().sweep();
  expect(readdirSync(folder)).toEqual(['mf-legal']);
  await open().sweep();
});

test('rejects a release whose fragments take too much processor time, and terminates the worker', async () => {
  // The parser compares each attribute with all previous ones.
  const attributes = Array.from({ length: 190_000 }, (_, each) => each.toString(36)).join(' ');
  writeFileSync(path.join(folder, 'a.html'), `<p ${attributes}></p>`);
  const release = { routes: [routeOf('/terms', { fragment: 'a.html' })] };
  await expect(checkFragments(folder, release, new AbortController().signal, 0.05)).rejects.toMatchObject({
    reason: 'fragment',
    message: 'checking its fragments takes more than 0.05 s',
  });
});
