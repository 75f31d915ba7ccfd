import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openOrigin } from '../index.ts';
import { FolderOrigin } from './folder-origin.ts';
import type { FailureReason, ReleaseOrigin } from './origin.ts';

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
const failed = (reason: FailureReason, message: string | RegExp) =>
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

  test('is rejected above the size limit', async () => {
    write('release.json', '');
    truncateSync(path.join(folder, 'release.json'), 300_000);
    expect(await origin.describe(signal)).toHaveLength(300_000);
    truncateSync(path.join(folder, 'release.json'), 30_000_000_000);
    await expect(origin.describe(signal)).rejects.toEqual(failed('answer', /is larger than 300000 bytes$/));
  });

  test('is measured in bytes, and keeps a byte order mark, which JSON rejects', async () => {
    write('release.json', 'ü'.repeat(150_001));
    await expect(origin.describe(signal)).rejects.toEqual(failed('answer', /is larger than 300000 bytes$/));
    write('release.json', '\ufeff{}');
    expect(await origin.describe(signal)).toBe('\ufeff{}');
  });

  test('may be 3 kB larger behind its signature', async () => {
    write('release.jws', '');
    truncateSync(path.join(folder, 'release.jws'), 303_000);
    expect(await origin.describe(signal, 'release.jws')).toHaveLength(303_000);
    truncateSync(path.join(folder, 'release.jws'), 303_001);
    await expect(origin.describe(signal, 'release.jws')).rejects.toEqual(failed('answer', /larger than 303000 bytes$/));
  });

  test('is rejected if it is a folder', async () => {
    mkdirSync(path.join(folder, 'release.json'));
    await expect(origin.describe(signal)).rejects.toEqual(failed('answer', /release\.json is not a file$/));
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

  test('names a missing file in the error', async () => {
    await expect(read('chunks/a.js')).rejects.toEqual(failed('missing', /release\/chunks\/a\.js is missing$/));
  });

  test('may be a symlink to another file of the folder', async () => {
    write('a.js', 'a');
    symlinkSync('a.js', path.join(folder, 'b.js'));
    expect(await read('b.js')).toEqual(Buffer.from('a'));
  });

  test.each([
    ['a symlink to a secret', () => symlinkSync('../secret', path.join(folder, 'a.js')), 'a.js'],
    ['in a folder that is a symlink', () => symlinkSync('..', path.join(folder, 'out')), 'out/secret'],
    ['a symlink to an endless device', () => symlinkSync('/dev/zero', path.join(folder, 'a.js')), 'a.js'],
    ['by its name', () => undefined, '../secret'],
    ['in a sibling folder with the same prefix', () => mkdirSync(`${folder}-other`), '../release-other'],
  ])('rejects a file outside the folder: %s', async (_what, prepare, name) => {
    writeFileSync(path.join(parent, 'secret'), 'secret');
    prepare();
    await expect(read(name)).rejects.toEqual(failed('answer', /leads out of its folder$/));
  });

  test.each([
    ['a folder', 'chunks', () => undefined],
    ['a pipe without a writer', 'pipe', () => execFileSync('mkfifo', [path.join(folder, 'pipe')])],
  ])('rejects %s without waiting for it', async (_what, name, prepare) => {
    prepare();
    await expect(read(name)).rejects.toEqual(failed('answer', /is not a file$/));
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
