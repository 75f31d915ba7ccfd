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
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { FileSource } from '../origins/origin.ts';
import { describeFile, routeOf, versionOf, wholeRelease } from '../test/releases.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { ReleaseCache } from './release-cache.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const remote = 'mf-legal';
const fragment = 'fragments/terms.00000001.html';
const html = '<h1 class=a>Terms</h1><br/>';

let folder: string;
let problems: string[];
let cache: ReleaseCache;
let stopped: AbortController;
/** Opens the folder, like the server after a restart. */
const open = () => new ReleaseCache(folder, (problem) => problems.push(problem));
beforeEach(() => {
  folder = makeTemporaryFolder();
  problems = [];
  cache = open();
  stopped = new AbortController();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const placeOf = (...names: readonly string[]) => path.join(folder, ...names);
const orphanedFiles = () => (existsSync(placeOf('.incoming')) ? readdirSync(placeOf('.incoming')) : []);
const versions = (of = cache) => [first, second, third].filter((version) => of.find(remote, version));
const entryOf = (version: string) => wholeRelease(remote, version).entry;

const giving = (content: string): FileSource =>
  async function* read() {
    yield Buffer.from(content);
  };
/** Adds a release whose only file comes from this source. */
function add(version: string, read = giving(version), of = cache, name = remote) {
  const release = wholeRelease(name, version);
  return of.add(release, JSON.stringify(release), read, stopped.signal);
}
/** Adds the first release with a fragment. */
function addWith(text: string | Buffer) {
  const content = Buffer.from(text);
  const { files } = wholeRelease(remote, first);
  const routes = [routeOf('/terms', { fragment })];
  const release = wholeRelease(remote, first, { routes, files: { ...files, [fragment]: describeFile(content) } });
  const read: FileSource = async function* readEither(file) {
    yield file === fragment ? content : Buffer.from(first);
  };
  return cache.add(release, JSON.stringify(release), read, stopped.signal);
}

describe('the fragments of a release', () => {
  test('are stored as serialized by the parser, beside the unchanged files', async () => {
    await addWith(html);
    for (const each of [cache, open()]) {
      const { fragments } = each.find(remote, first) ?? {};
      const checked = readFileSync(path.join(fragments?.folder ?? '', fragment));
      expect(String(checked)).toBe('<h1 class="a">Terms</h1><br>');
      expect(fragments?.files).toEqual({ [fragment]: describeFile(checked) });
    }
    expect(readFileSync(placeOf(remote, first, fragment), 'utf8')).toBe(html);
  });

  test.each([
    ['has no end', '<div>', `its fragment ${fragment} can't become part of a document: <div> has no end`],
    ['is not UTF-8', Buffer.from([0xc3, 0x28]), `its fragment ${fragment} is not UTF-8`],
  ])('reject a release if one %s', async (_what, content, message) => {
    await expect(addWith(content)).rejects.toMatchObject({ reason: 'fragment', message });
    expect([versions(), orphanedFiles()]).toEqual([[], []]);
  });

  test('reject a release if they take too much processor time, which terminates the worker', async () => {
    const used = jest.spyOn(Worker.prototype, 'cpuUsage').mockResolvedValue({ user: 1_900_000, system: 100_001 });
    used.mockResolvedValueOnce({ user: 0, system: 0 });
    // The parser compares each attribute with all previous ones.
    const attributes = Array.from({ length: 190_000 }, (_, each) => each.toString(36)).join(' ');
    await expect(addWith(`<p ${attributes}></p>`)).rejects.toMatchObject({
      reason: 'fragment',
      message: 'checking its fragments takes more than 2 s',
    });
    used.mockRestore();
    await addWith(html);
  });
});

describe('a release', () => {
  test('is stored with its files and its unchanged release.json, and found when it is complete', async () => {
    const release = wholeRelease(remote, first);
    const text = JSON.stringify({ ...release, later: 'a field of the future' }, null, 1);
    const read: FileSource = async function* readWatched() {
      expect([versions(), readdirSync(folder)]).toEqual([[], ['.incoming']]);
      yield Buffer.from(first);
      expect([versions(), readdirSync(folder)]).toEqual([[], ['.incoming']]);
    };
    await cache.add(release, text, read, stopped.signal);
    expect(readFileSync(placeOf(remote, first, 'release.json'), 'utf8')).toBe(text);
    expect(readFileSync(placeOf(remote, first, release.entry), 'utf8')).toBe(first);
    expect(cache.find(remote, first)).toMatchObject({ release, folder: placeOf(remote, first) });
    for (const version of ['', '..', 'latest', `../mf-legal/${first}`, `${first}/`, `${'1'.repeat(300)}.0.0-00000000`])
      expect(cache.find(remote, version)).toBeUndefined();
    expect(orphanedFiles()).toEqual([]);
  });

  test('is gone with its folder, and can be added again', async () => {
    await add(first);
    const { generation } = cache;
    rmSync(folder, { recursive: true });
    expect([versions(), cache.generation === generation]).toEqual([[], false]);
    await add(first);
    expect([versions(), orphanedFiles()]).toEqual([[first], []]);
  });

  test('that is fetched and mirrored at once is complete at every moment', async () => {
    let found: unknown;
    await add(first, async function* readSlowly() {
      await add(first);
      found = cache.find(remote, first);
      yield Buffer.from(first);
    });
    expect(found).toBeDefined();
    expect(cache.find(remote, first)).toBe(found);
    expect(orphanedFiles()).toEqual([]);
  });
});

describe('a failed attempt to store a release', () => {
  const endingWith = (end: (signal: AbortSignal) => void): FileSource =>
    async function* read(_name, signal) {
      yield Buffer.from('1');
      end(signal);
    };
  const reset = () => {
    throw new Error('reset');
  };
  const stop = (signal: AbortSignal) => {
    stopped.abort(new Error('stopped'));
    signal.throwIfAborted();
  };

  test.each<[string, FileSource, string]>([
    ['a file that was tampered with', giving('1.0.2-0000000X'), 'does not match its SHA-384 in release.json'],
    ['a cut-off connection', endingWith(reset), 'reset'],
    ['an abort', endingWith(stop), 'stopped'],
  ])('because of %s leaves no orphaned files, and existing releases as they are', async (_what, read, message) => {
    await add(first);
    const before = cache.generation;
    await expect(add(second, read)).rejects.toThrow(message);
    expect([readdirSync(folder), orphanedFiles()]).toEqual([['.incoming', remote], []]);
    expect([cache.generation, versions(), versions(open())]).toEqual([before, [first], [first]]);
  });

  test('on a path that is no folder names it', async () => {
    writeFileSync(placeOf('.incoming'), '');
    await expect(add(first)).rejects.toThrow(placeOf('.incoming'));
  });
});

describe('a damaged release', () => {
  const at = (...names: readonly string[]) => placeOf(remote, first, ...names);
  /** The last column is a fragment, whose check takes longer than all the rest. */
  const damages: [string, () => void, RegExp, fragment?: string][] = [
    ['without a file', () => rmSync(at(entryOf(first))), /ENOENT/],
    ['with a file cut off', () => truncateSync(at(entryOf(first)), 3), /\.js is damaged$/],
    [
      'with a file of zeros, as after a power failure',
      () => writeFileSync(at(entryOf(first)), Buffer.alloc(first.length)),
      /\.js is damaged$/,
    ],
    ['with a checked fragment cut off', () => truncateSync(at('.checked/files', fragment), 3), /l is damaged$/, html],
    ['without a checked fragment', () => rmSync(at('.checked/files', fragment)), /ENOENT/, html],
    ['whose index of fragments can’t be read', () => writeFileSync(at('.checked/index.json'), '{'), /JSON/],
    ['without its description', () => rmSync(at('release.json')), /ENOENT/],
    ['with half a description', () => truncateSync(at('release.json'), 9), /is not JSON/],
    [
      'that is empty',
      () => {
        rmSync(at(), { recursive: true });
        mkdirSync(at());
      },
      /ENOENT/,
    ],
    ['under another version', () => renameSync(at(), placeOf(remote, second)), /is of 1\.0\.1-00000001$/],
  ];

  test.each(damages)('%s is not found, and is reported once', async (...[_what, damage, report, text]) => {
    await (text === undefined ? add(first) : addWith(text));
    damage();
    const other = open();
    for (const version of [first, second, first, second]) expect(other.find(remote, version)).toBeUndefined();
    expect(problems).toEqual([expect.stringMatching(report)]);
    expect(problems[0]).toMatch(/^mf-legal@1\.0\.\d-0000000\d in .* is damaged, and is fetched again: /);
  });

  test('is replaced when it is added again', async () => {
    await add(first);
    rmSync(at(entryOf(first)));
    const [one, other] = [open(), open()];
    expect([versions(one), versions(other)]).toEqual([[], []]);
    await add(first, giving(first), one);
    expect([versions(one), versions(other)]).toEqual([[first], [first]]);
    expect(orphanedFiles()).toEqual([]);
  });
});

test('releases that are not in the registry are removed ten minutes later, when they must have been stored in it', async () => {
  for (const version of [first, second, third]) await add(version);
  await add(first, giving(first), cache, 'mf-privacy');
  mkdirSync(placeOf(remote, 'lost+found'));
  const ages = { 'lost+found': 601, [first]: 601, [second]: 601, [third]: 590 };
  for (const [name, seconds] of Object.entries(ages)) {
    const moment = Date.now() / 1000 - seconds;
    utimesSync(placeOf(remote, name), moment, moment);
  }
  for (const name of [remote, 'mf-of-next-year']) await cache.prune(name, (version) => version === second);
  expect(readdirSync(placeOf(remote)).toSorted()).toEqual([second, third, 'lost+found']);
  expect(readdirSync(placeOf('mf-privacy'))).toEqual([first]);
  expect(orphanedFiles()).toEqual([]);
});

test('what a killed server was writing is removed', async () => {
  await add(first);
  mkdirSync(placeOf('.incoming', 'old', 'chunks'), { recursive: true });
  await open().sweep();
  expect(readdirSync(folder)).toEqual([remote]);
});
