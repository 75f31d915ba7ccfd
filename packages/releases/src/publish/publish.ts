import { readFileSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract/release';
import { CommandError } from '@daybook/server';
import { integrityOf, readRelease } from '../gate/gate.ts';
import { previewFileName, signedFileName } from '../origins/origin.ts';

/** A built release that is not published yet. */
export interface Candidate {
  readonly folder: string;
  readonly release: Release;
  /** Its release.json, byte for byte. */
  readonly text: string;
}

/** Returns the release in a folder as a candidate. */
export function readCandidate(folder: string): Candidate {
  const text = readFileSync(path.join(folder, releaseFileName), 'utf8');
  return { folder, release: releaseSchema.parse(JSON.parse(text)), text };
}

/** Suffix of a file that is being written; the next release removes one that a crash left behind. */
const unfinished = '.publishing';

/** Returns whether only a build makes such a name: with a content hash, compressed or not, or a source map. */
const isBuilt = (file: string) => /\.[0-9a-f]{8}\.\w+(?:\.map|\.br|\.gz)?$/.test(file) || file.endsWith(unfinished);

const readIfThere = (file: string) => readFile(file).catch(() => undefined);

/** Flushes a folder's directory entries to disk, so that new names survive a crash. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Writes a file atomically: readers see the old or the new content, also after a crash. */
async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file + unfinished, content, { flush: true });
  await rename(file + unfinished, file);
}

/**
 * Returns the release at an origin.
 *
 * @returns `undefined` for an empty or missing folder, or if the release can't be read: publishing replaces it
 * @throws CommandError if the folder holds anything else: foreign files must not be touched
 */
export async function readOffered(origin: string, remote: string): Promise<Candidate | undefined> {
  const isFolder = await stat(origin).then(
    (stats) => stats.isDirectory(),
    () => undefined,
  );
  if (isFolder === undefined) return undefined;
  if (!isFolder) throw new CommandError(`${origin} is a file; a release is published to a folder.`);
  if (!(await readIfThere(path.join(origin, releaseFileName)))) {
    const others = (await readdir(origin)).filter(
      (file) => !isBuilt(file) && !file.startsWith('.') && file !== previewFileName,
    );
    if (others.length === 0) return undefined;
    throw new CommandError(
      `${origin} holds no release but other files, such as ${others[0]}. Name an empty folder or a new one.`,
    );
  }
  let offered: Candidate;
  try {
    offered = readCandidate(origin);
  } catch {
    return undefined;
  }
  const { name } = offered.release;
  if (name !== remote) throw new CommandError(`${origin} is the origin of ${name}, not of ${remote}.`);
  return offered;
}

/** Returns whether an origin holds this release: the same version, and each file, byte for byte. */
export async function isPublished({ release }: Candidate, origin: string): Promise<boolean> {
  if ((await readOffered(origin, release.name))?.release.version !== release.version) return false;
  for (const [file, { integrity }] of Object.entries(release.files)) {
    const content = await readIfThere(path.join(origin, file));
    if (!content || integrityOf(content) !== integrity) return false;
  }
  return true;
}

/** Copies the files that the origin lacks. Safe before release.json changes: nothing refers to the new names yet. */
async function copyFiles({ folder, release }: Candidate, origin: string, stopped: AbortSignal): Promise<void> {
  for (const [file, { integrity }] of Object.entries(release.files)) {
    stopped.throwIfAborted();
    const there = await readIfThere(path.join(origin, file));
    if (there && integrityOf(there) === integrity) continue;
    const content = await readIfThere(path.join(folder, file));
    if (!content || integrityOf(content) !== integrity) {
      throw new CommandError(`${path.join(folder, file)} has changed since it was checked. Start the release again.`);
    }
    await writeWhole(path.join(origin, file), content);
  }
  for (const each of new Set(Object.keys(release.files).map((file) => path.dirname(path.join(origin, file)))))
    await syncFolder(each);
}

/** Returns a description at an origin; `undefined` if it is missing or can't be read. */
async function readDescription(origin: string, remote: string, file: string): Promise<Release | undefined> {
  const content = String((await readIfThere(path.join(origin, file))) ?? '');
  try {
    return readRelease(file === previewFileName ? content.slice(content.indexOf('\n') + 1) : content, remote, origin);
  } catch {
    return undefined;
  }
}

/** Removes files that are neither of the candidate nor of what the origin offers: its release, and its preview. */
async function removeOrphanedFiles({ release }: Candidate, origin: string): Promise<number> {
  const descriptions = [releaseFileName, previewFileName].map((file) => readDescription(origin, release.name, file));
  const offered = (await Promise.all(descriptions)).filter((each) => each !== undefined);
  const listed = new Set([release, ...offered].flatMap(({ files }) => Object.keys(files)));
  const entries = await readdir(origin, { recursive: true, withFileTypes: true });
  const orphaned = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => isBuilt(file) && !listed.has(path.relative(origin, file)));
  for (const file of orphaned) await rm(file, { force: true });
  return orphaned.length;
}

/** @throws CommandError if a preview would change a file of the release at its origin */
async function checkUnchanged({ release }: Candidate, origin: string): Promise<void> {
  const { files = {} } = (await readDescription(origin, release.name, releaseFileName)) ?? {};
  const changed = Object.entries(release.files).find(
    ([file, { integrity }]) => Object.hasOwn(files, file) && files[file]?.integrity !== integrity,
  );
  if (changed)
    throw new CommandError(`${changed[0]} differs from the file of the same name of the release at ${origin}.`);
}

/**
 * Publishes a candidate to its origin: files first, then release.json, which lists them, and then release.jws, the same
 * with its signature. So readers of either see one complete release at any moment, also after a crash. A preview is
 * published beside the release, which stays as it is: names have content hashes.
 *
 * @param signed content of release.jws or preview.jws
 * @param stopped aborts and keeps what the origin offers
 * @throws CommandError if the candidate's files have changed, or a preview would change those of the release
 */
export async function publish(
  candidate: Candidate,
  signed: string,
  origin: string,
  stopped: AbortSignal,
  kind: 'release' | 'preview' = 'release',
): Promise<void> {
  const isPreview = kind === 'preview';
  if (isPreview) await checkUnchanged(candidate, origin);
  await copyFiles(candidate, origin, stopped);
  stopped.throwIfAborted();
  const description = path.join(origin, releaseFileName);
  // Left as it is when only the signature is new: servers request it conditionally.
  if (!isPreview && String(await readIfThere(description)) !== candidate.text)
    await writeWhole(description, candidate.text);
  await writeWhole(path.join(origin, isPreview ? previewFileName : signedFileName), signed);
}

/**
 * Cleans up after publishing: flushes the new names to disk, and removes files of earlier releases. A failed step does
 * not stop the other: neither undoes the release.
 *
 * @returns the number of removed files, and the errors of failed steps
 */
export async function cleanUp(candidate: Candidate, origin: string) {
  const problems: string[] = [];
  const report = (error: Error) => {
    problems.push(error.message);
    return 0;
  };
  await syncFolder(origin).catch(report);
  return { removed: await removeOrphanedFiles(candidate, origin).catch(report), problems };
}
