import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileEntry } from '@daybook/runner/releases';
import { versionOf, wholeRelease } from '@daybook/testing/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FileSource } from '../manifest/release-files.ts';
import { pageFileName } from '../registry/release-registry.ts';
import { storedRelease } from './registry-content.ts';
import { ReleasesFolder } from './releases-folder.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const remote = 'mf-legal';
const page = '<h1>Terms</h1>';

let folder: string;
let problems: string[];
let releases: ReleasesFolder;
let stopped: AbortController;
/** Opens the folder, like the server after a restart. */
const open = () => new ReleasesFolder(folder, (problem) => problems.push(problem));
beforeEach(() => {
  folder = makeTemporaryFolder();
  problems = [];
  releases = open();
  stopped = new AbortController();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const placeOf = (...names: readonly string[]) => path.join(folder, ...names);
const orphanedFiles = () => (existsSync(placeOf('.incoming')) ? readdirSync(placeOf('.incoming')) : []);
const { entry } = wholeRelease(remote, first);

/** A stored release whose entry is its version, with a page. */
const stored = (version: string, name = remote) =>
  storedRelease(
    { remote: name, version, storedAt: 0 },
    { manifest: JSON.stringify(wholeRelease(name, version)), pages: { 'terms.html': fileEntry(Buffer.from(page)) } },
  );
const giving = (version: string): FileSource =>
  async function* read(name) {
    yield Buffer.from(name === pageFileName('terms.html') ? page : version);
  };
const fetch = (version: string, source = giving(version), of = releases, name = remote) =>
  of.fetch(stored(version, name), source, stopped.signal);
async function found(of = releases): Promise<readonly string[]> {
  const folders = await Promise.all([first, second, third].map((version) => of.find(stored(version))));
  return folders.flatMap((each) => (each ? path.basename(each) : []));
}

test('a release is here, with its pages, when all of its files are, also after a restart', async () => {
  await fetch(first, async function* read(name) {
    expect([await found(), readdirSync(folder)]).toEqual([[], ['.incoming']]);
    yield* giving(first)(name, stopped.signal);
  });
  for (const each of [releases, open()]) expect(await each.find(stored(first))).toBe(placeOf(remote, first));
  expect(readFileSync(placeOf(remote, first, entry), 'utf8')).toBe(first);
  expect(readFileSync(placeOf(remote, first, pageFileName('terms.html')), 'utf8')).toBe(page);
  rmSync(folder, { recursive: true });
  expect(await found()).toEqual([]);
  await fetch(first);
  expect([await found(), orphanedFiles()]).toEqual([[first], []]);
});

test('a release that is published and fetched at once stays the first one', async () => {
  await releases.inTemporary(async (temporary) => {
    await fetch(first);
    mkdirSync(path.join(temporary, 'late'));
    releases.adopt(temporary, stored(first));
  });
  expect([await found(), existsSync(placeOf(remote, first, 'late')), orphanedFiles()]).toEqual([[first], false, []]);
});

describe('a failed attempt to fetch a release', () => {
  const endingWith = (end: () => void): FileSource =>
    async function* read() {
      yield Buffer.from('1');
      end();
    };
  test.each<[string, FileSource, string]>([
    ['a file that was tampered with', giving('1.0.2-0000000X'), 'does not match its SHA-384 in release.json'],
    [
      'a cut-off connection',
      endingWith(() => {
        throw new Error('reset');
      }),
      'reset',
    ],
    [
      'an abort',
      endingWith(() => {
        stopped.abort(new Error('stopped'));
        stopped.signal.throwIfAborted();
      }),
      'stopped',
    ],
  ])('because of %s leaves no orphaned files, and existing releases as they are', async (_what, source, message) => {
    await fetch(first);
    await expect(fetch(second, source)).rejects.toThrow(message);
    expect([readdirSync(folder), orphanedFiles()]).toEqual([['.incoming', remote], []]);
    expect([await found(), await found(open())]).toEqual([[first], [first]]);
  });

  test('on a path that is no folder names it', async () => {
    writeFileSync(placeOf('.incoming'), '');
    await expect(fetch(first)).rejects.toThrow(placeOf('.incoming'));
  });
});

describe('a damaged release', () => {
  const at = (...names: readonly string[]) => placeOf(remote, first, ...names);
  test.each<[string, () => void, RegExp]>([
    ['without a file', () => rmSync(at(entry)), /ENOENT/],
    ['with a file cut off', () => truncateSync(at(entry), 3), /\.js is damaged$/],
    ['with zeros, as after a power failure', () => writeFileSync(at(entry), Buffer.alloc(14)), /\.js is damaged$/],
    ['with a page cut off', () => truncateSync(at(pageFileName('terms.html')), 3), /terms\.html is damaged$/],
    [
      'that is empty',
      () => {
        rmSync(at(), { recursive: true });
        mkdirSync(at());
      },
      /ENOENT/,
    ],
  ])('%s is not found, is reported once, and is replaced by the next fetch', async (_what, damage, report) => {
    await fetch(first);
    damage();
    const restarted = open();
    for (let time = 0; time < 2; time += 1) expect(await found(restarted)).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(report)]);
    expect(problems[0]).toMatch(/^mf-legal@1\.0\.1-00000001 in .* is damaged, and is fetched again: /);
    await fetch(first, giving(first), restarted);
    expect([await found(restarted), await found(open()), orphanedFiles()]).toEqual([[first], [first], []]);
  });
});

test('releases that are not listed are removed ten minutes later, when they must have been', async () => {
  for (const version of [first, second, third]) await fetch(version);
  await fetch(first, giving(first), releases, 'mf-privacy');
  mkdirSync(placeOf(remote, 'lost+found'));
  const ages = { 'lost+found': 601, [first]: 601, [second]: 601, [third]: 590 };
  for (const [name, seconds] of Object.entries(ages)) {
    const moment = Date.now() / 1000 - seconds;
    utimesSync(placeOf(remote, name), moment, moment);
  }
  for (const name of [remote, 'mf-of-next-year']) await releases.prune(name, (version) => version === second);
  expect(readdirSync(placeOf(remote)).toSorted()).toEqual([second, third, 'lost+found']);
  expect(readdirSync(placeOf('mf-privacy'))).toEqual([first]);
});

test('what a killed server was writing is removed', async () => {
  await fetch(first);
  mkdirSync(placeOf('.incoming', 'old', 'chunks'), { recursive: true });
  await open().sweep();
  expect(readdirSync(folder)).toEqual([remote]);
});
