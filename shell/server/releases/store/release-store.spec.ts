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
import type { FileSource } from '@daybook/release';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../../test/release-folder.ts';
import { makeTemporaryFolder } from '../../test/temporary-folder.ts';
import { describeFile, routeOf } from '../../test/temporary-site.ts';
import { checkFragments } from './checked-fragments.ts';
import type { ReleaseStore } from './release-store.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];

let releases: TemporaryReleases;
let store: ReleaseStore;
beforeEach(() => {
  releases = createTemporaryReleases();
  store = releases.store;
});
afterEach(() => {
  jest.restoreAllMocks();
  releases.remove();
});

const placeOf = (...names: readonly string[]) => path.join(releases.folder, ...names);
const orphanedFiles = () => (existsSync(placeOf('.incoming')) ? readdirSync(placeOf('.incoming')) : []);
const versions = (of = store) => of.releasesOf('mf-legal').map(({ release }) => release.version);
const entryOf = (version: string) => wholeRelease('mf-legal', version).entry;

/** Adds a release with this source of its file. */
function addFrom(read: FileSource, of = store, version = first, signal = new AbortController().signal) {
  const release = wholeRelease('mf-legal', version);
  return of.add(release, JSON.stringify(release), read, signal);
}
const giving = (content: string): FileSource =>
  async function* read() {
    yield Buffer.from(content);
  };

describe('the fragments of a release', () => {
  const fragment = 'fragments/terms.00000001.html';
  const html = '<h1 class=a>Terms</h1><br/>';

  function addWith(text: string | Buffer, of = store, signal = new AbortController().signal) {
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
  const checkedForm = (of = store) => {
    const { fragments } = of.find('mf-legal', first) ?? {};
    return fragments && readFileSync(path.join(fragments.folder, fragment), 'utf8');
  };

  test('are stored as serialized by the parser, beside the unchanged files', async () => {
    await addWith(html);
    expect(checkedForm()).toBe('<h1 class="a">Terms</h1><br>');
    expect(store.find('mf-legal', first)?.fragments?.files).toEqual({
      [fragment]: describeFile(Buffer.from('<h1 class="a">Terms</h1><br>')),
    });
    expect(readFileSync(placeOf('mf-legal', first, fragment), 'utf8')).toBe(html);
    expect(checkedForm(releases.openAgain().store)).toBe('<h1 class="a">Terms</h1><br>');
  });

  test.each([
    ['is cut off', () => writeFileSync(placeOf('mf-legal', first, '.checked/files', fragment), '<h1')],
    ['is gone', () => rmSync(placeOf('mf-legal', first, '.checked/files', fragment))],
    ['is in no index that can be read', () => writeFileSync(placeOf('mf-legal', first, '.checked/index.json'), '{')],
  ])('leave a damaged release if one %s', async (_what, damage) => {
    await addWith(html);
    damage();
    expect(releases.openAgain().store.find('mf-legal', first)).toBeUndefined();
  });

  test.each([
    ['has no end', '<div>', `its fragment ${fragment} can't become part of a document: <div> has no end`],
    ['is not UTF-8', Buffer.from([0xc3, 0x28]), `its fragment ${fragment} is not UTF-8`],
  ])('reject a release if one %s', async (_what, content, message) => {
    await expect(addWith(content)).rejects.toMatchObject({ reason: 'fragment', message });
    expect(store.find('mf-legal', first)).toBeUndefined();
    expect(orphanedFiles()).toEqual([]);
  });

  test('stop being checked when the server stops', async () => {
    const stopped = new Error('stopped');
    const controller = new AbortController();
    const added = addWith(html, store, controller.signal);
    controller.abort(stopped);
    await expect(added).rejects.toBe(stopped);
    expect(orphanedFiles()).toEqual([]);
  });
});

describe('a release', () => {
  test('is stored with its files and its unchanged release.json', async () => {
    const release = wholeRelease('mf-legal', first);
    const text = JSON.stringify({ ...release, later: 'a field of the future' }, null, 1);
    await store.add(release, text, giving(first), new AbortController().signal);
    expect(readFileSync(placeOf('mf-legal', first, 'release.json'), 'utf8')).toBe(text);
    expect(readFileSync(placeOf('mf-legal', first, release.entry), 'utf8')).toBe(first);
    expect(store.find('mf-legal', first)).toMatchObject({ release, folder: placeOf('mf-legal', first) });
    expect(orphanedFiles()).toEqual([]);
  });

  test('is found by another process too, and after a restart', async () => {
    await releases.add('mf-legal', first);
    expect(versions(releases.openAgain().store)).toEqual([first]);
  });

  test('is not found while it is being written', async () => {
    await addFrom(async function* read() {
      expect(store.find('mf-legal', first)).toBeUndefined();
      expect(readdirSync(releases.folder)).toEqual(['.incoming']);
      yield Buffer.from(first);
      expect(readdirSync(releases.folder)).toEqual(['.incoming']);
    });
    expect(store.find('mf-legal', first)).toBeDefined();
  });

  test.each(['', '..', 'latest', `../mf-legal/${first}`, `${first}/`, `${'1'.repeat(300)}.0.0-00000000`])(
    'is not found under the version %p',
    async (version) => {
      await releases.add('mf-legal', first);
      expect(store.find('mf-legal', version)).toBeUndefined();
    },
  );

  test('is listed with the last stored first, and other folders are not listed', async () => {
    for (const version of [second, first, third]) await releases.add('mf-legal', version);
    for (const [index, version] of [second, first, third].entries())
      utimesSync(placeOf('mf-legal', version, 'release.json'), index, index);
    mkdirSync(placeOf('mf-legal', 'lost+found'));
    writeFileSync(placeOf('mf-legal', 'origin.json'), '{}');
    expect(versions(releases.openAgain().store)).toEqual([third, first, second]);
    expect(store.releasesOf('mf-privacy')).toEqual([]);
    expect(releases.problems).toEqual([]);
  });

  test('changes the generation when it is added or removed, not when it is read', async () => {
    const generations = [store.generation];
    await releases.add('mf-legal', first);
    generations.push(store.generation);
    store.find('mf-legal', first);
    store.find('mf-legal', second);
    expect(store.generation).toBe(generations[1]);
    await store.prune('mf-legal', new Set());
    generations.push(store.generation);
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
    expect(readdirSync(releases.folder)).toEqual(['.incoming']);
    expect(orphanedFiles()).toEqual([]);
    expect(store.generation).toBe(0);
  });

  test('because of an abort leaves no orphaned files', async () => {
    const controller = new AbortController();
    const reading = addFrom(
      async function* read(_name, signal) {
        yield Buffer.from('1');
        controller.abort(new Error('stopped'));
        signal.throwIfAborted();
      },
      store,
      first,
      controller.signal,
    );
    await expect(reading).rejects.toThrow('stopped');
    expect(orphanedFiles()).toEqual([]);
    expect(versions()).toEqual([]);
  });

  test('does not change existing releases', async () => {
    await releases.add('mf-legal', first);
    await expect(addFrom(giving('x'), store, second)).rejects.toThrow('has 1 bytes instead of');
    expect(versions(releases.openAgain().store)).toEqual([first]);
  });

  test('on a path that is no folder names it', async () => {
    writeFileSync(placeOf('.incoming'), '');
    await expect(addFrom(giving(first))).rejects.toThrow(placeOf('.incoming'));
  });
});

describe('a damaged release', () => {
  const damages: [string, (folder: string) => void, RegExp][] = [
    ['without a file', (folder) => rmSync(path.join(folder, entryOf(first))), /has no bytes instead of 14$/],
    [
      'with a file cut off',
      (folder) => truncateSync(path.join(folder, entryOf(first)), 3),
      /has 3 bytes instead of 14$/,
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
    await releases.add('mf-legal', first);
    damage(placeOf('mf-legal', first));
    const { store: other } = releases.openAgain();
    for (const version of [first, second, first, second]) expect(other.find('mf-legal', version)).toBeUndefined();
    expect(other.releasesOf('mf-legal')).toEqual([]);
    expect(releases.problems).toEqual([expect.stringMatching(report)]);
    expect(releases.problems[0]).toMatch(/^mf-legal@1\.0\.\d-0000000\d in .* is damaged: /);
  });

  test('is replaced when it is stored again, for other processes too', async () => {
    await releases.add('mf-legal', first);
    rmSync(placeOf('mf-legal', first, entryOf(first)));
    const [one, other] = [releases.openAgain().store, releases.openAgain().store];
    expect([versions(one), versions(other)]).toEqual([[], []]);
    const before = other.generation;
    await addFrom(giving(first), one);
    expect([versions(one), versions(other)]).toEqual([[first], [first]]);
    expect(other.generation).not.toBe(before);
    expect(orphanedFiles()).toEqual([]);
  });

  test('is found again after ten seconds if the disk failed only briefly', async () => {
    await releases.add('mf-legal', first);
    const entry = placeOf('mf-legal', first, entryOf(first));
    truncateSync(entry, 3);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { store: other } = releases.openAgain();
    expect(other.find('mf-legal', first)).toBeUndefined();
    const before = other.generation;
    writeFileSync(entry, first);
    clock.mockReturnValue(10_000);
    expect(other.find('mf-legal', first)).toBeUndefined();
    clock.mockReturnValue(10_001);
    expect(other.find('mf-legal', first)).toBeDefined();
    expect(other.generation).not.toBe(before);
  });
});

describe('a folder with several servers on it', () => {
  test('keeps the release of the first one, complete at every moment', async () => {
    const other = releases.openAgain().store;
    let found: unknown;
    const slow: FileSource = async function* read() {
      await addFrom(giving(first), other);
      found = store.find('mf-legal', first);
      yield Buffer.from(first);
    };
    await addFrom(slow);
    expect(found).toBeDefined();
    expect(store.find('mf-legal', first)).toBe(found);
    expect(orphanedFiles()).toEqual([]);
  });

  test('can be pruned by both at the same time', async () => {
    for (const version of [first, second, third]) await releases.add('mf-legal', version);
    const other = releases.openAgain().store;
    // Another server prunes between the list and the removal.
    const retained = new Set([third]);
    const hidden = {
      has: (version: string) => {
        if (version === second) void other.prune('mf-legal', retained);
        return retained.has(version);
      },
    } as Set<string>;
    await store.prune('mf-legal', hidden);
    expect(versions()).toEqual([third]);
    expect(versions(other)).toEqual([third]);
  });

  test('does not use its cache for a release that another server has removed or replaced', async () => {
    await releases.add('mf-legal', first);
    const other = releases.openAgain().store;
    expect(versions(other)).toEqual([first]);
    const before = other.generation;
    await store.prune('mf-legal', new Set());
    expect(other.find('mf-legal', first)).toBeUndefined();
    const gone = other.generation;
    expect(gone).not.toBe(before);
    await releases.add('mf-legal', first, {}, 'another content');
    expect(other.find('mf-legal', first)?.release).toEqual(wholeRelease('mf-legal', first, {}, 'another content'));
  });
});

describe('prune', () => {
  test("removes only that remote's releases that are not retained", async () => {
    for (const version of [first, second, third]) await releases.add('mf-legal', version);
    await releases.add('mf-privacy', first);
    mkdirSync(placeOf('mf-legal', 'lost+found'));
    await store.prune('mf-legal', new Set([second, versionOf(9)]));
    expect(readdirSync(placeOf('mf-legal')).toSorted()).toEqual([second, 'lost+found']);
    expect(readdirSync(placeOf('mf-privacy'))).toEqual([first]);
    expect(orphanedFiles()).toEqual([]);
    await store.prune('mf-of-next-year', new Set());
  });

  test('removes a damaged release after ten minutes, and not after a brief failure', async () => {
    await releases.add('mf-legal', first);
    await releases.add('mf-legal', second);
    const entry = placeOf('mf-legal', first, entryOf(first));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { store: other } = releases.openAgain();
    const pruneAt = async (seconds: number) => {
      clock.mockReturnValue(seconds * 1000);
      other.find('mf-legal', first);
      await other.prune('mf-legal', new Set([second]));
      return existsSync(placeOf('mf-legal', first));
    };
    rmSync(entry);
    expect([await pruneAt(0), await pruneAt(300)]).toEqual([true, true]);
    writeFileSync(entry, first);
    clock.mockReturnValue(400_000);
    expect(other.find('mf-legal', first)).toBeDefined();
    rmSync(placeOf('mf-legal', first), { recursive: true });
    mkdirSync(placeOf('mf-legal', first));
    expect([await pruneAt(500), await pruneAt(1_099)]).toEqual([true, true]);
    expect(await pruneAt(1_100)).toBe(false);
    expect(versions(other)).toEqual([second]);
  });
});

describe('orphaned files', () => {
  const age = (name: string, seconds: number) => {
    const moment = Date.now() / 1000 - seconds;
    utimesSync(placeOf('.incoming', name), moment, moment);
  };

  test('are removed after ten minutes, and not before, since a process may be using them', async () => {
    for (const name of ['old', 'young']) mkdirSync(placeOf('.incoming', name, 'chunks'), { recursive: true });
    writeFileSync(placeOf('.incoming', 'old', 'chunks', 'a.js'), 'a');
    writeFileSync(placeOf('.incoming', 'old-file'), 'a');
    for (const name of ['old', 'old-file']) age(name, 601);
    age('young', 590);
    await store.sweep();
    expect(orphanedFiles()).toEqual(['young']);
  });

  test('with a time in the future, after the clock went back, are not removed', async () => {
    mkdirSync(placeOf('.incoming', 'future'), { recursive: true });
    age('future', -3_600);
    await store.sweep();
    expect(orphanedFiles()).toEqual(['future']);
  });

  test('are no problem if there are none', async () => {
    await store.sweep();
    expect(existsSync(placeOf('.incoming'))).toBe(false);
  });
});

let folder: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
