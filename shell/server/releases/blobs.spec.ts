import { rmSync, writeFileSync } from 'node:fs';
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
const open = (folder = path.join(root, 'cache')) => new Blobs({ folder, fetch, inPlace: () => undefined, report });

test('a file is fetched once, is read from disk after a restart, and again if damaged', async () => {
  const blobs = open();
  expect(await Promise.all([blobs.get(hash), blobs.get(hash)])).toEqual([content, content]);
  await blobs.get(hash);
  expect(await open().get(hash)).toEqual(content);
  expect(fetch).toHaveBeenCalledTimes(1);
  writeFileSync(path.join(root, 'cache', hash), 'damaged');
  for (let times = 0; times < 2; times += 1) expect(await open().get(hash)).toEqual(content);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test.each([
  [undefined, 'is not stored'],
  [Buffer.from('other'), 'is damaged in the database'],
])('what the database returns is checked: %p', async (fetched, message) => {
  fetch.mockResolvedValue(fetched);
  await expect(open().get(hash)).rejects.toThrow(message);
});

test('files are served without a writable folder', async () => {
  const blobs = open('/dev/null/cache');
  for (let times = 0; times < 3; times += 1) await blobs.put(hash, content);
  expect(await blobs.get(hash)).toEqual(content);
  expect(report.mock.calls).toEqual([[expect.stringMatching(/^RELEASES_FOLDER \(.*\) can't be written: E[A-Z]+\./)]]);
});
