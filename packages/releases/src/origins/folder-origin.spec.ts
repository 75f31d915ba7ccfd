import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openOrigin } from '../index.ts';
import { FolderOrigin } from './folder-origin.ts';
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

test('uses the absolute path of the folder as its address', () => {
  expect(origin).toBeInstanceOf(FolderOrigin);
  expect(origin.address).toBe(`file:${folder}`);
  expect(openOrigin('file:mf-legal/release').address).toBe(`file:${path.resolve('mf-legal/release')}`);
});

describe('release.json in a folder', () => {
  test('returns the current content', async () => {
    write('release.json', 'one');
    expect(await origin.describe(signal)).toBe('one');
    expect(await origin.describe(signal)).toBe('one');
    write('release.json', 'other, longer');
    expect(await origin.describe(signal)).toBe('other, longer');
    write('new', 'other, as long');
    renameSync(path.join(folder, 'new'), path.join(folder, 'release.json'));
    expect(await origin.describe(signal)).toBe('other, as long');
  });

  test('is read again after it was missing, such as during a build', async () => {
    write('release.json', 'one');
    await origin.describe(signal);
    rmSync(folder, { recursive: true });
    await expect(origin.describe(signal)).rejects.toEqual(failed('missing', /release\/release\.json is missing$/));
    mkdirSync(folder);
    write('release.json', 'two!');
    expect(await origin.describe(signal)).toBe('two!');
  });

  test('is read from a folder that is a symlink, such as to the last build', async () => {
    write('release.json', 'one');
    symlinkSync(folder, path.join(parent, 'current'));
    expect(await openOrigin(`file:${parent}/current`).describe(signal)).toBe('one');
  });

  test.each([
    ['release.json', 300_000],
    ['release.jws', 303_000],
  ] as const)('may be as large as the limit, which is 3 kB higher behind a signature: %s', async (file, limit) => {
    write(file, Buffer.alloc(limit));
    expect(await origin.describe(signal, file)).toHaveLength(limit);
    write(file, Buffer.alloc(limit + 1));
    await expect(origin.describe(signal, file)).rejects.toEqual(failed('answer', `is larger than ${limit} bytes`));
  });
});

describe('a file in a folder', () => {
  test('is read unchanged', async () => {
    const content = Buffer.alloc(300_000, 'content');
    write('chunks/a.js', content);
    write('empty.js', '');
    expect(await read('chunks/a.js')).toEqual(content);
    expect(await read('empty.js')).toEqual(Buffer.alloc(0));
  });

  test('may be a symlink to another file of the folder', async () => {
    write('a.js', 'a');
    symlinkSync('a.js', path.join(folder, 'b.js'));
    expect(await read('b.js')).toEqual(Buffer.from('a'));
  });

  test.each([
    ['in a folder that is a symlink', () => symlinkSync('..', path.join(folder, 'out')), 'out/secret'],
    ['by its name', () => undefined, '../secret'],
    ['in a sibling folder with the same prefix', () => mkdirSync(`${folder}-other`), '../release-other'],
  ])('is rejected outside the folder: %s', async (_what, prepare, name) => {
    writeFileSync(path.join(parent, 'secret'), 'secret');
    prepare();
    await expect(read(name)).rejects.toEqual(failed('answer', /leads out of its folder$/));
  });

  test('stops reading a file after an abort', async () => {
    write('a.js', Buffer.alloc(1_000_000));
    const controller = new AbortController();
    const chunks = origin.readFile('a.js', controller.signal)[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toHaveLength(65_536);
    controller.abort();
    await expect(chunks.next()).rejects.toEqual(failed('unreachable', 'aborted'));
    await expect(read('a.js', AbortSignal.abort())).rejects.toEqual(failed('unreachable', 'aborted'));
  });
});
