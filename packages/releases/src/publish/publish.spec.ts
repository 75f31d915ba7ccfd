import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { describeFile, releaseOf } from '../test/releases.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { type Candidate, cleanUp, isPublished, publish, readOffered } from './publish.ts';

const style = 'shared.aaaaaaaa.css';

let folder: string;
let origin: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
  origin = path.join(folder, 'origin');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entryOf = (number: number) => `remoteEntry.0000000${number}.js`;

/** A candidate whose file names have content hashes like a build's; its style is the same in all of them. */
function candidateOf(number: number, name = 'mf-legal'): Candidate {
  const contents = { [entryOf(number)]: `entry ${number}`, [style]: 'the same in every release' };
  const place = path.join(folder, `candidate-${number}`);
  mkdirSync(place, { recursive: true });
  for (const [file, content] of Object.entries(contents)) writeFileSync(path.join(place, file), content);
  const release = releaseOf(name, {
    version: `1.0.${number}-0000000${number}`,
    entry: entryOf(number),
    files: Object.fromEntries(
      Object.entries(contents).map(([file, content]) => [file, describeFile(Buffer.from(content))]),
    ),
  });
  return { folder: place, release, text: JSON.stringify(release) };
}

const signatureOf = ({ text }: Candidate) => `signature\n${text}`;
const neverStopped = new AbortController().signal;

/** Publishes a candidate, then cleans up its origin. */
async function release(candidate: Candidate, kind?: 'preview') {
  await publish(candidate, signatureOf(candidate), origin, neverStopped, kind);
  return cleanUp(candidate, origin);
}
const preview = (candidate: Candidate) => release(candidate, 'preview');
const filesAt = () => readdirSync(origin).sort();
const entries = () => filesAt().filter((file) => file.startsWith('remoteEntry'));
const read = (file: string) => readFileSync(path.join(origin, file), 'utf8');

describe('publishing', () => {
  test('creates a missing origin', async () => {
    expect(await readOffered(origin, 'mf-legal')).toBeUndefined();
    await release(candidateOf(1));
    expect(filesAt()).toEqual(['release.json', 'release.jws', entryOf(1), style]);
    expect((await readOffered(origin, 'mf-legal'))?.release).toEqual(candidateOf(1).release);
    expect(await isPublished(candidateOf(1), origin)).toBe(true);
    writeFileSync(path.join(origin, style), 'damaged');
    expect(await isPublished(candidateOf(1), origin)).toBe(false);
  });

  test('removes orphaned files that a build made, after the new release.json is in place', async () => {
    await release(candidateOf(1));
    writeFileSync(path.join(origin, 'README'), 'notes');
    await publish(candidateOf(2), signatureOf(candidateOf(2)), origin, neverStopped);
    expect(read('release.json')).toBe(candidateOf(2).text);
    expect(entries()).toEqual([entryOf(1), entryOf(2)]);
    expect(await cleanUp(candidateOf(2), origin)).toEqual({ removed: 1, problems: [] });
    expect(filesAt()).toEqual(['README', 'release.json', 'release.jws', entryOf(2), style]);
    expect(read('release.jws')).toBe(signatureOf(candidateOf(2)));
  });

  test('of the same release again renews its signature', async () => {
    await release(candidateOf(1));
    const { ino } = statSync(path.join(origin, 'release.json'));
    await publish(candidateOf(1), 'renewed', origin, neverStopped);
    expect(read('release.jws')).toBe('renewed');
    expect(statSync(path.join(origin, 'release.json')).ino).toBe(ino);
    expect(await isPublished(candidateOf(1), origin)).toBe(true);
  });

  test('leaves the old release complete when it fails midway or is stopped', async () => {
    await release(candidateOf(1));
    const broken = candidateOf(2);
    await expect(publish(broken, 'signed', origin, AbortSignal.abort())).rejects.toThrow(/aborted/);
    writeFileSync(path.join(broken.folder, entryOf(2)), 'changed since it was checked');
    await expect(publish(broken, 'signed', origin, neverStopped)).rejects.toThrow(
      /has changed since it was checked\. Start the release again\./,
    );
    expect(await isPublished(candidateOf(1), origin)).toBe(true);
    expect(read('release.jws')).toBe(signatureOf(candidateOf(1)));
    expect(entries()).toEqual([entryOf(1)]);
  });

  test('reports a cleanup that fails instead of failing', async () => {
    const failure = expect.stringMatching(/^ENOENT/);
    expect(await cleanUp(candidateOf(1), path.join(folder, 'lost'))).toEqual({
      removed: 0,
      problems: [failure, failure],
    });
  });

  test('finishes a publication that a crash interrupted', async () => {
    await release(candidateOf(1));
    for (const file of [entryOf(2), `${entryOf(2)}.publishing`, `${entryOf(3)}.publishing`])
      writeFileSync(path.join(origin, file), 'half');
    await release(candidateOf(2));
    expect(await isPublished(candidateOf(2), origin)).toBe(true);
    expect(filesAt()).toEqual(['release.json', 'release.jws', entryOf(2), style]);
  });
});

describe('publishing a preview', () => {
  test('leaves the release as it is, and removes only the files of the preview before it', async () => {
    await release(candidateOf(1));
    await preview(candidateOf(2));
    expect(await isPublished(candidateOf(1), origin)).toBe(true);
    expect(read('preview.jws')).toBe(signatureOf(candidateOf(2)));
    expect(entries()).toEqual([entryOf(1), entryOf(2)]);
    await preview(candidateOf(3));
    expect(entries()).toEqual([entryOf(1), entryOf(3)]);
    await release(candidateOf(4));
    expect(entries()).toEqual([entryOf(3), entryOf(4)]);
  });

  test('needs no release', async () => {
    await preview(candidateOf(1));
    expect(await readOffered(origin, 'mf-legal')).toBeUndefined();
    await release(candidateOf(2));
    expect(entries()).toEqual([entryOf(1), entryOf(2)]);
  });

  test('never changes a file of the release', async () => {
    await release(candidateOf(1));
    const other = candidateOf(1);
    const files = { ...other.release.files, [entryOf(1)]: describeFile(Buffer.from('other')) };
    await expect(preview({ ...other, release: { ...other.release, files } })).rejects.toThrow(
      `${entryOf(1)} differs from the file of the same name of the release at ${origin}.`,
    );
  });
});

test.each<[string, () => unknown, RegExp]>([
  [
    'the origin of another remote',
    () => release(candidateOf(1, 'mf-privacy')),
    /is the origin of mf-privacy, not of mf-legal\./,
  ],
  [
    'a folder with other files',
    () => {
      mkdirSync(origin);
      writeFileSync(path.join(origin, 'thesis.txt'), 'years of work');
    },
    /holds no release but other files, such as thesis\.txt/,
  ],
  ['a file', () => writeFileSync(origin, ''), /is a file; a release is published to a folder/],
])('a release is not published to %s', async (_what, prepare, message) => {
  await prepare();
  await expect(readOffered(origin, 'mf-legal')).rejects.toThrow(message);
});
