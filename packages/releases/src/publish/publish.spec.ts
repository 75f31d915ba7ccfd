import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contractVersion, type Release } from '@daybook/contract/release';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { integrityOf } from '../gate/gate.ts';
import type { Candidate } from './candidate.ts';
import { cleanUp, isPublished, publish, readOffered } from './publish.ts';

let folder: string;
let origin: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-publish-'));
  origin = path.join(folder, 'origin');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A candidate with one page, whose file names have content hashes like a build's. */
function candidateOf(number: number, name = 'mf-legal'): Candidate {
  const hash = String(number).padStart(8, '0');
  const contents = new Map([
    [`remoteEntry.${hash}.js`, `entry ${number}`],
    ['shared.aaaaaaaa.css', 'the same in every release'],
  ]);
  const place = path.join(folder, `candidate-${number}`);
  mkdirSync(place, { recursive: true });
  for (const [file, content] of contents) writeFileSync(path.join(place, file), content);
  const release: Release = {
    name,
    version: `1.0.${number}-${hash}`,
    contract: contractVersion,
    designSystem: null,
    entry: `remoteEntry.${hash}.js`,
    routes: [{ path: '/terms', title: 'Terms', description: 'Terms.', frame: 'site', files: [] }],
    files: Object.fromEntries(
      [...contents].map(([file, content]) => [
        file,
        { integrity: integrityOf(Buffer.from(content)), size: content.length },
      ]),
    ),
  };
  return { folder: place, release, text: JSON.stringify(release) };
}

const signatureOf = ({ text }: Candidate) => `signature\n${text}`;

const neverStopped = new AbortController().signal;

/** Publishes a candidate, then cleans up its origin. */
async function release(candidate: Candidate) {
  await publish(candidate, signatureOf(candidate), origin, neverStopped);
  return cleanUp(candidate, origin);
}
const filesAt = () => readdirSync(origin).sort();

describe('publishing', () => {
  test('creates a missing origin', async () => {
    expect(await readOffered(origin, 'mf-legal')).toBeUndefined();
    await release(candidateOf(1));
    expect(filesAt()).toEqual(['release.json', 'release.jws', 'remoteEntry.00000001.js', 'shared.aaaaaaaa.css']);
    expect((await readOffered(origin, 'mf-legal'))?.release).toEqual(candidateOf(1).release);
    expect(await isPublished(candidateOf(1), origin)).toBe(true);
  });

  test('removes orphaned files only after the new release.json is in place', async () => {
    await release(candidateOf(1));
    await publish(candidateOf(2), signatureOf(candidateOf(2)), origin, neverStopped);
    expect(readFileSync(path.join(origin, 'release.json'), 'utf8')).toBe(candidateOf(2).text);
    expect(filesAt()).toContain('remoteEntry.00000001.js');
    expect(await cleanUp(candidateOf(2), origin)).toEqual({ removed: 1, problems: [] });
    expect(filesAt()).toEqual(['release.json', 'release.jws', 'remoteEntry.00000002.js', 'shared.aaaaaaaa.css']);
    expect(readFileSync(path.join(origin, 'release.jws'), 'utf8')).toBe(signatureOf(candidateOf(2)));
  });

  test('leaves files alone that no build made', async () => {
    await release(candidateOf(1));
    writeFileSync(path.join(origin, 'README'), 'notes');
    await release(candidateOf(2));
    expect(filesAt()).toEqual(expect.arrayContaining(['README']));
  });

  test('of the same release again renews its signature', async () => {
    await release(candidateOf(1));
    const { ino } = statSync(path.join(origin, 'release.json'));
    await publish(candidateOf(1), 'renewed', origin, neverStopped);
    expect(readFileSync(path.join(origin, 'release.jws'), 'utf8')).toBe('renewed');
    expect(statSync(path.join(origin, 'release.json')).ino).toBe(ino);
    expect(await isPublished(candidateOf(1), origin)).toBe(true);
  });

  test('leaves the old release complete when it fails midway', async () => {
    await release(candidateOf(1));
    const broken = candidateOf(2);
    writeFileSync(path.join(broken.folder, 'remoteEntry.00000002.js'), 'changed since it was checked');
    await expect(publish(broken, 'signed', origin, neverStopped)).rejects.toThrow(
      /has changed since it was checked\. Start the release again\./,
    );
    expect(await isPublished(candidateOf(1), origin)).toBe(true);
    expect(readFileSync(path.join(origin, 'release.jws'), 'utf8')).toBe(signatureOf(candidateOf(1)));
  });

  test('leaves the old release complete when it is stopped', async () => {
    await release(candidateOf(1));
    await expect(publish(candidateOf(2), 'signed', origin, AbortSignal.abort())).rejects.toThrow(/aborted/);
    expect(await isPublished(candidateOf(1), origin)).toBe(true);
  });

  test('reports a cleanup that fails instead of failing', async () => {
    const { removed, problems } = await cleanUp(candidateOf(1), path.join(folder, 'lost'));
    expect(problems).toEqual([expect.stringMatching(/^ENOENT/), expect.stringMatching(/^ENOENT/)]);
    expect(removed).toBe(0);
  });

  test('finishes a publication that a crash interrupted', async () => {
    await release(candidateOf(1));
    writeFileSync(path.join(origin, 'remoteEntry.00000002.js.publishing'), 'half');
    writeFileSync(path.join(origin, 'remoteEntry.00000002.js'), 'half');
    await release(candidateOf(2));
    expect(await isPublished(candidateOf(2), origin)).toBe(true);
    expect(existsSync(path.join(origin, 'remoteEntry.00000002.js.publishing'))).toBe(false);
  });
});

describe('publishing a preview', () => {
  const preview = async (candidate: Candidate) => {
    await publish(candidate, signatureOf(candidate), origin, neverStopped, 'preview');
    return cleanUp(candidate, origin);
  };
  const files = (...numbers: readonly number[]) => numbers.map((number) => `remoteEntry.0000000${number}.js`);
  const entries = () => filesAt().filter((file) => file.startsWith('remoteEntry'));

  test('leaves the release as it is, and the files of both side by side', async () => {
    await release(candidateOf(1));
    await preview(candidateOf(2));
    expect(await isPublished(candidateOf(1), origin)).toBe(true);
    expect(readFileSync(path.join(origin, 'preview.jws'), 'utf8')).toBe(signatureOf(candidateOf(2)));
    expect(entries()).toEqual(files(1, 2));
  });

  test('removes the files of the preview before it, and so does a release those of the release', async () => {
    await release(candidateOf(1));
    await preview(candidateOf(2));
    await preview(candidateOf(3));
    expect(entries()).toEqual(files(1, 3));
    await release(candidateOf(4));
    expect(entries()).toEqual(files(3, 4));
  });

  test('needs no release', async () => {
    await preview(candidateOf(1));
    expect(await readOffered(origin, 'mf-legal')).toBeUndefined();
    await release(candidateOf(2));
    expect(entries()).toEqual(files(1, 2));
  });

  test('never changes a file of the release', async () => {
    await release(candidateOf(1));
    const other = candidateOf(1);
    const [name = ''] = files(1);
    const changed = { ...other.release.files, [name]: { integrity: integrityOf(Buffer.from('other')), size: 5 } };
    await expect(preview({ ...other, release: { ...other.release, files: changed } })).rejects.toThrow(
      `${name} differs from the file of the same name of the release at ${origin}.`,
    );
  });
});

describe('publishing to a path that is not an origin of the remote', () => {
  test('rejects the origin of another remote', async () => {
    await release(candidateOf(1, 'mf-privacy'));
    await expect(readOffered(origin, 'mf-legal')).rejects.toThrow('is the origin of mf-privacy, not of mf-legal.');
  });

  test('rejects a folder with other files', async () => {
    mkdirSync(origin);
    writeFileSync(path.join(origin, 'thesis.txt'), 'years of work');
    await expect(readOffered(origin, 'mf-legal')).rejects.toThrow(
      /holds no release but other files, such as thesis\.txt/,
    );
  });

  test('rejects a file', async () => {
    writeFileSync(origin, '');
    await expect(readOffered(origin, 'mf-legal')).rejects.toThrow(/is a file; a release is published to a folder/);
  });
});
