import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FolderOrigin } from './folder-origin.ts';
import { openOrigin } from './index.ts';
import type { FailureReason, ReleaseOrigin } from './origin.ts';

const signal = new AbortController().signal;

let parent: string;
let folder: string;
let origin: ReleaseOrigin;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'daybook-origin-'));
  folder = path.join(parent, 'dist');
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

test('a folder has its whole path as address', () => {
  expect(origin).toBeInstanceOf(FolderOrigin);
  expect(origin.address).toBe(`file:${folder}`);
  expect(openOrigin('file:mf-legal/dist').address).toBe(`file:${path.resolve('mf-legal/dist')}`);
});

describe('the description in a folder', () => {
  test('is what is in there now', async () => {
    write('release.json', 'one');
    expect(await origin.describe(signal)).toBe('one');
    expect(await origin.describe(signal)).toBe('one');
    write('release.json', 'other, longer');
    expect(await origin.describe(signal)).toBe('other, longer');
    write('new', 'other, as long');
    renameSync(path.join(folder, 'new'), path.join(folder, 'release.json'));
    expect(await origin.describe(signal)).toBe('other, as long');
  });

  test('is found again after it was away, such as during a build', async () => {
    write('release.json', 'one');
    await origin.describe(signal);
    rmSync(folder, { recursive: true });
    await expect(origin.describe(signal)).rejects.toEqual(failed('missing', /dist\/release\.json is missing$/));
    mkdirSync(folder);
    write('release.json', 'two!');
    expect(await origin.describe(signal)).toBe('two!');
  });

  test('is taken in a folder that is a link, as to the last build', async () => {
    write('release.json', 'one');
    symlinkSync(folder, path.join(parent, 'current'));
    expect(await openOrigin(`file:${parent}/current`).describe(signal)).toBe('one');
  });

  test('is refused where it is larger than any honest one', async () => {
    write('release.json', '');
    truncateSync(path.join(folder, 'release.json'), 300_000);
    expect(await origin.describe(signal)).toHaveLength(300_000);
    truncateSync(path.join(folder, 'release.json'), 30_000_000_000);
    await expect(origin.describe(signal)).rejects.toEqual(failed('answer', /is larger than 300000 bytes$/));
  });

  test('is refused where it is a folder', async () => {
    mkdirSync(path.join(folder, 'release.json'));
    await expect(origin.describe(signal)).rejects.toEqual(failed('answer', /release\.json is not a file$/));
  });
});

describe('a file in a folder', () => {
  test('is read as it is', async () => {
    const content = Buffer.alloc(300_000, 'content');
    write('chunks/a.js', content);
    write('empty.js', '');
    expect(await read('chunks/a.js')).toEqual(content);
    expect(await read('empty.js')).toEqual(Buffer.alloc(0));
  });

  test('that is not there is told by its name', async () => {
    await expect(read('chunks/a.js')).rejects.toEqual(failed('missing', /dist\/chunks\/a\.js is missing$/));
  });

  test('may be a link to another file of the folder', async () => {
    write('a.js', 'a');
    symlinkSync('a.js', path.join(folder, 'b.js'));
    expect(await read('b.js')).toEqual(Buffer.from('a'));
  });

  test.each([
    ['a link to a secret', () => symlinkSync('../secret', path.join(folder, 'a.js')), 'a.js'],
    ['in a folder that is a link', () => symlinkSync('..', path.join(folder, 'out')), 'out/secret'],
    ['a link to what never ends', () => symlinkSync('/dev/zero', path.join(folder, 'a.js')), 'a.js'],
    ['named so', () => undefined, '../secret'],
    ['in a folder beside it of a like name', () => mkdirSync(`${folder}-other`), '../dist-other'],
  ])('that leads out of it, %s, is not read', async (_what, prepare, name) => {
    writeFileSync(path.join(parent, 'secret'), 'secret');
    prepare();
    await expect(read(name)).rejects.toEqual(failed('answer', /leads out of its folder$/));
  });

  test.each([
    ['a folder', 'chunks', () => undefined],
    ['a pipe that nobody writes into', 'pipe', () => execFileSync('mkfifo', [path.join(folder, 'pipe')])],
  ])('that is %s is not waited for', async (_what, name, prepare) => {
    prepare();
    await expect(read(name)).rejects.toEqual(failed('answer', /is not a file$/));
  });

  test('is not read any further once it is given up', async () => {
    write('a.js', Buffer.alloc(1_000_000));
    const controller = new AbortController();
    const chunks = origin.readFile('a.js', controller.signal)[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toHaveLength(65_536);
    controller.abort();
    await expect(chunks.next()).rejects.toEqual(failed('unreachable', 'aborted'));
    await expect(read('a.js', AbortSignal.abort())).rejects.toEqual(failed('unreachable', 'aborted'));
  });
});
