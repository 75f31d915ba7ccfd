import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf, integrityOf } from '@daybook/contract/manifest';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Blobs } from './blobs.ts';

const content = Buffer.from('content');
const hash = hashOf(integrityOf(content));

let root: string;
const report = jest.fn<(problem: string) => void>();
const fetch = jest.fn<(hash: string) => Promise<Buffer | undefined>>();
beforeEach(() => {
  root = makeTemporaryFolder();
  report.mockReset();
  fetch.mockReset().mockResolvedValue(content);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The blobs of a new process. */
const open = (folder = path.join(root, 'cache'), inPlace = (_: string): string | undefined => undefined) =>
  new Blobs({ folder, fetch, inPlace, report });
const file = () => path.join(root, 'cache', hash);

test('a file is fetched once, and read from disk after a restart', async () => {
  const blobs = open();
  expect(await Promise.all([blobs.get(hash), blobs.get(hash)])).toEqual([content, content]);
  await blobs.get(hash);
  expect(await open().get(hash)).toEqual(content);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('a file that was damaged is fetched again', async () => {
  await open().get(hash);
  writeFileSync(file(), 'damaged');
  expect(await open().get(hash)).toEqual(content);
  expect(readFileSync(file(), 'utf8')).toBe('content');
});

test.each([
  [undefined, 'is not stored'],
  [Buffer.from('other'), 'is damaged in the database'],
])('what the database returns is checked: %p', async (fetched, message) => {
  fetch.mockResolvedValue(fetched);
  await expect(open().get(hash)).rejects.toThrow(message);
});

test('a file of a build is read in place, and not copied', async () => {
  writeFileSync(path.join(root, 'built.js'), content);
  expect(await open(undefined, () => path.join(root, 'built.js')).get(hash)).toEqual(content);
  expect([fetch.mock.calls, readdirSync(root)]).toEqual([[], ['built.js']]);
});

test('files are served without a writable folder', async () => {
  const blobs = open('/dev/null/cache');
  for (let times = 0; times < 3; times += 1) await blobs.put(hash, content);
  expect(await blobs.get(hash)).toEqual(content);
  expect(report.mock.calls).toEqual([[expect.stringMatching(/^RELEASES_FOLDER \(.*\) can't be written: E[A-Z]+\./)]]);
});

test('memory is bounded: the least recently used files are read from disk again', async () => {
  const blobs = open();
  const contents = Array.from({ length: 40 }, (_, index) => Buffer.alloc(2_000_000, index));
  for (const each of contents) await blobs.put(hashOf(integrityOf(each)), each);
  const [oldest, newest] = [contents[0], contents[39]].map((each) => hashOf(integrityOf(each as Buffer)));
  rmSync(path.join(root, 'cache'), { recursive: true });
  await blobs.get(`${newest}`);
  expect(fetch).not.toHaveBeenCalled();
  fetch.mockResolvedValue(contents[0]);
  await blobs.get(`${oldest}`);
  expect(fetch).toHaveBeenCalledTimes(1);
});
