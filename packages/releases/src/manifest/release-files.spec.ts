import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { fileEntry } from '@daybook/runner/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkCompressedFiles, type FileSource, writeReleaseFiles } from './release-files.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = makeTemporaryFolder();
  folder = path.join(parent, 'release');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

type Contents = Readonly<Record<string, string | Buffer>>;

const describeAll = (contents: Contents) =>
  Object.fromEntries(Object.entries(contents).map(([name, content]) => [name, fileEntry(Buffer.from(content))]));

/** Yields files in chunks of this many bytes. */
const sourceOf = (contents: Contents, chunkSize = 7): FileSource =>
  async function* read(name) {
    const content = Buffer.from(contents[name] ?? '');
    for (let at = 0; at < content.length; at += chunkSize) yield content.subarray(at, at + chunkSize);
  };

/** Writes the files that a release describes from a source. */
async function write(described: Contents, source: FileSource, signal = new AbortController().signal) {
  const files = describeAll(described);
  await writeReleaseFiles(folder, { files }, source, signal);
  await checkCompressedFiles(folder, { files }, signal);
}

const rejected = (message: string) =>
  expect.objectContaining({ name: 'ReleaseRejection', reason: 'tampered', message });

describe('the files of a release', () => {
  test('are written unchanged, into their folders', async () => {
    const contents = {
      'entry.js': 'entry',
      'empty.js': '',
      'chunks/a.js': 'a'.repeat(100_000),
      'chunks/deep/er/a.js': 'deeper',
      'fonts/serif.woff2': Buffer.from([0, 255, 10, 13]),
    };
    await write(contents, sourceOf(contents));
    for (const [name, content] of Object.entries(contents))
      expect(readFileSync(path.join(folder, name))).toEqual(Buffer.from(content));
    expect(readdirSync(folder, { recursive: true })).toHaveLength(9);
  });

  test('are not written over each other: two names may be one where case does not count', async () => {
    await write({ 'a.js': 'a' }, sourceOf({ 'a.js': 'a' }));
    await expect(write({ 'a.js': 'b' }, sourceOf({ 'a.js': 'b' }))).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(path.join(folder, 'a.js'), 'utf8')).toBe('a');
  });

  test.each([
    ['tampered with', 'evil', 'its file a.js does not match its SHA-384 in release.json'],
    ['too short', 'goo', 'its file a.js has 3 bytes instead of 4'],
    ['empty', '', 'its file a.js has 0 bytes instead of 4'],
    ['too long', 'good and more', 'its file a.js has more than the 4 bytes in release.json'],
    ['too long by one byte', 'good!', 'its file a.js has more than the 4 bytes in release.json'],
  ])('are rejected if one is %s', async (_what, content, message) => {
    await expect(write({ 'a.js': 'good', 'b.js': 'b' }, sourceOf({ 'a.js': content, 'b.js': 'b' }))).rejects.toEqual(
      rejected(message),
    );
  });
});

test('an aborted write fails with the reason before the next file, also from a source that does not end by itself', async () => {
  const [controller, reason] = [new AbortController(), new Error('stopped')];
  const read: string[] = [];
  const source: FileSource = async function* readIt(name) {
    read.push(name);
    controller.abort(reason);
    yield Buffer.from('x');
  };
  await expect(write({ 'a.js': 'x', 'b.js': 'x' }, source, controller.signal)).rejects.toBe(reason);
  expect(read).toEqual(['a.js']);
});

describe('the compressed form of a file', () => {
  const script = 'alert("hello")\n'.repeat(5_000);
  const [br, gz] = [brotliCompressSync(script), gzipSync(script)];
  const bomb = gzipSync(Buffer.alloc(30_000_000));

  test('is accepted if it matches the plain file, or has none', async () => {
    const contents = { 'a.js': script, 'a.js.br': br, 'a.js.gz': gz, 'b.js.br': 'whatever', 'data.gz': 'whatever' };
    await write(contents, sourceOf(contents, 60_000));
    expect(readdirSync(folder).toSorted()).toEqual(['a.js', 'a.js.br', 'a.js.gz', 'b.js.br', 'data.gz']);
  });

  test.each<[string, string, Buffer]>([
    ['.br', 'that of another script', brotliCompressSync(script.replace('hello', 'other'))],
    ['.gz', 'that of another script', gzipSync(script.replace('hello', 'other'))],
    ['.br', 'the file itself', Buffer.from(script)],
    ['.gz', 'the file itself', Buffer.from(script)],
    ['.br', 'cut off', br.subarray(0, -3)],
    ['.deflate', 'that of another script', deflateSync(script.replace('hello', 'other'))],
    ['.gz', 'cut off', gz.subarray(0, -3)],
    ['.gz', 'empty', Buffer.alloc(0)],
    ['.br', 'compressed in another format', gz],
    ['.gz', 'of more than the file', bomb],
  ])('rejects %s that is %s, even if its own SHA-384 matches', async (ending, _what, content) => {
    const contents = { 'a.js': script, [`a.js${ending}`]: content };
    await expect(write(contents, sourceOf(contents, 60_000))).rejects.toEqual(
      rejected(`its file a.js${ending} is not its file a.js compressed`),
    );
  });
});

test('a partly written file on a full disk is never treated as complete', () => {
  const module = JSON.stringify(path.join(import.meta.dirname, 'release-files.ts'));
  const script = `import { writeReleaseFiles } from ${module};
    const content = Buffer.alloc(100_000, 'a');
    const files = ${JSON.stringify(describeAll({ 'a.js': Buffer.alloc(100_000, 'a') }))};
    const source = async function* () { yield content; };
    await writeReleaseFiles(process.argv[1], { files }, source, new AbortController().signal).then(
      () => console.log('written'), ({ code }) => console.log(code));`;
  // In blocks of 512 bytes, or of 1024 in some shells.
  const command = `ulimit -f 50; exec "$0" --input-type=module -e "$1" "$2"`;
  const { stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, script, folder], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'EFBIG\n', stderr: '' });
});
