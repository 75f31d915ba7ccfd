import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openOrigin } from '../index.ts';
import type { OriginFailure, ReleaseOrigin } from './origin.ts';

const signal = new AbortController().signal;

let parent: string;
let folder: string;
let origin: ReleaseOrigin;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'daybook-origin-'));
  folder = path.join(parent, 'release');
  mkdirSync(path.join(folder, 'chunks'), { recursive: true });
  origin = openOrigin(`file:${folder}`);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const write = (name: string, content: string | Buffer) => writeFileSync(path.join(folder, name), content);
const failed = (reason: OriginFailure['reason'], message: string | RegExp) =>
  expect.objectContaining({ name: 'OriginFailure', reason, message: expect.stringMatching(message) });

async function read(name: string, stop = signal) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of origin.readFile(name, stop)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('a release.json in a folder, or a symlink to it, has its current content, also after it was missing as during a build', async () => {
  symlinkSync(folder, path.join(parent, 'current'));
  const linked = openOrigin(`file:${parent}/current`);
  expect(origin.address).toBe(`file:${folder}`);
  expect(openOrigin('file:mf-legal/release').address).toBe(`file:${path.resolve('mf-legal/release')}`);
  for (const text of ['one', 'one', 'other, longer', 'other, as long']) {
    write('new', text);
    renameSync(path.join(folder, 'new'), path.join(folder, 'release.json'));
    expect([await origin.describe(signal), await linked.describe(signal)]).toEqual([text, text]);
  }
  rmSync(folder, { recursive: true });
  await expect(origin.describe(signal)).rejects.toEqual(failed('missing', /release\/release\.json is missing$/));
  mkdirSync(folder);
  write('release.json', 'two!');
  expect(await origin.describe(signal)).toBe('two!');
});

test.each([
  ['release.json', 300_000],
  ['release.jws', 303_000],
] as const)(
  'a description may be as large as the limit, which is 3 kB higher behind a signature: %s',
  async (...row) => {
    const [file, limit] = row;
    write(file, Buffer.alloc(limit));
    expect(await origin.describe(signal, file)).toHaveLength(limit);
    write(file, Buffer.alloc(limit + 1));
    await expect(origin.describe(signal, file)).rejects.toEqual(failed('answer', `is larger than ${limit} bytes`));
  },
);

test('a file in a folder is read unchanged, also if it is a symlink to another one, until an abort', async () => {
  const content = Buffer.alloc(300_000, 'content');
  write('chunks/a.js', content);
  write('empty.js', '');
  symlinkSync('chunks/a.js', path.join(folder, 'b.js'));
  expect(await read('chunks/a.js')).toEqual(content);
  expect(await read('empty.js')).toEqual(Buffer.alloc(0));
  expect(await read('b.js')).toEqual(content);
  const controller = new AbortController();
  const chunks = origin.readFile('b.js', controller.signal)[Symbol.asyncIterator]();
  expect((await chunks.next()).value).toHaveLength(65_536);
  controller.abort();
  await expect(chunks.next()).rejects.toEqual(failed('unreachable', 'aborted'));
  await expect(read('b.js', AbortSignal.abort())).rejects.toEqual(failed('unreachable', 'aborted'));
});

test.each([
  ['in a folder that is a symlink', () => symlinkSync('..', path.join(folder, 'out')), 'out/secret'],
  ['by its name', () => undefined, '../secret'],
  ['in a sibling folder with the same prefix', () => mkdirSync(`${folder}-other`), '../release-other'],
])('a file is rejected outside the folder: %s', async (_what, prepare, name) => {
  writeFileSync(path.join(parent, 'secret'), 'secret');
  prepare();
  await expect(read(name)).rejects.toEqual(failed('answer', /leads out of its folder$/));
});
