import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Release, type ReleaseFile, releaseFileName, releaseVersionSchema } from '@daybook/contract/release';
import { integrityOf, readRelease } from '../gate/gate.ts';
import type { FileSource } from '../origins/origin.ts';
import { checkFragments, readCheckedFragments } from './checked-fragments.ts';
import { writeReleaseFiles } from './release-files.ts';

/** A complete release on this server's disk. */
export interface CachedRelease {
  readonly release: Release;
  /** Folder of its files. */
  readonly folder: string;
  readonly fragments: ReturnType<typeof readCheckedFragments>;
}

/** Returns a text that changes when the file or folder is replaced; `undefined` if there is none. */
export function identityOf(folder: string): string | undefined {
  try {
    const { dev, ino, ctimeNs } = statSync(folder, { bigint: true });
    return `${dev} ${ino} ${ctimeNs}`;
  } catch {
    return undefined;
  }
}

/**
 * Loads a release; returns an error if one of its files is missing or damaged.
 *
 * @param isChecked whether this process has just checked and written its files
 */
function loadRelease(folder: string, remote: string, isChecked: boolean): CachedRelease | Error {
  try {
    const file = path.join(folder, releaseFileName);
    const release = readRelease(readFileSync(file, 'utf8'), remote, folder);
    if (release.version !== path.basename(folder)) throw new Error(`${file} is of ${release.version}`);
    const fragments = readCheckedFragments(folder);
    if (!isChecked) {
      checkFiles(folder, release.files);
      checkFiles(fragments.folder, fragments.files);
    }
    return { release, folder, fragments };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** @throws Error if a file is missing or damaged */
export function checkFiles(folder: string, files: Readonly<Record<string, ReleaseFile>>): void {
  for (const [name, { integrity }] of Object.entries(files))
    if (integrityOf(readFileSync(path.join(folder, name))) !== integrity) throw new Error(`${name} is damaged`);
}

/** Folder in the cache for files that are being written or removed. */
const temporaryFolder = '.incoming';

/** What is known of a folder, valid as long as its identity stays the same. */
interface Known {
  readonly folderIdentity: string;
  readonly found: CachedRelease | Error;
}

/** In ms: a release that is not in the registry yet, such as one that is being stored, is not removed before. */
const unlistedAge = 10 * 60_000;

/**
 * Checked releases on this server's disk, a folder each: `<remote>/<version>/`. Releases are added atomically and are
 * immutable. All of it is in the registry, too, and may be deleted at any time; so nothing is synced to the disk, and what
 * a power failure left is checked when the next server opens it. One process at a time uses the folder.
 */
export class ReleaseCache {
  readonly folder: string;
  readonly #report: (problem: string) => void;
  readonly #known = new Map<string, Known>();
  /** Changes whenever a release is seen added, removed or damaged. */
  generation = 0;

  constructor(folder: string, report: (problem: string) => void) {
    this.folder = path.resolve(folder);
    this.#report = report;
  }

  /** Finds a release; an incomplete one, such as after a disk error, is reported once and not found. */
  find(remote: string, version: string): CachedRelease | undefined {
    const found = this.#lookUp(remote, version);
    return found instanceof Error ? undefined : found;
  }

  /** Returns why a cached release can't be served. */
  problemOf(remote: string, version: string): Error | undefined {
    const found = this.#lookUp(remote, version);
    return found instanceof Error ? found : undefined;
  }

  /** Returns what is known of a folder; loads it again if it was replaced. */
  #lookUp(remote: string, version: string, isChecked = false): CachedRelease | Error | undefined {
    if (!releaseVersionSchema.safeParse(version).success) return undefined;
    const folder = path.join(this.folder, remote, version);
    const folderIdentity = identityOf(folder);
    const known = this.#known.get(folder);
    if (known && known.folderIdentity === folderIdentity) return known.found;
    const found = folderIdentity === undefined ? undefined : loadRelease(folder, remote, isChecked);
    if (known || found) this.generation += 1;
    if (!folderIdentity || !found) {
      this.#known.delete(folder);
      return undefined;
    }
    if (found instanceof Error)
      this.#report(`${remote}@${version} in ${this.folder} is damaged, and is fetched again: ${found.message}`);
    this.#known.set(folder, { folderIdentity, found });
    return found;
  }

  /**
   * Adds a release: reads and checks its files in a temporary folder, which is then renamed.
   *
   * @param text its `release.json`, stored unchanged
   * @param readFile reads one of its files
   * @param commit called with the folder of the checked files; if it fails, nothing is added
   * @throws ReleaseRejection if a file differs from `release.json`, or a fragment can't become part of a document
   */
  async add(
    release: Release,
    text: string,
    readFile: FileSource,
    signal: AbortSignal,
    commit: (folder: string) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const { name, version } = release;
    const folder = path.join(this.folder, name, version);
    await this.addFolder(folder, async (temporary) => {
      await writeReleaseFiles(temporary, release, readFile, signal);
      await checkFragments(temporary, release, signal);
      writeFileSync(path.join(temporary, releaseFileName), text);
      await commit(temporary);
      // A damaged one.
      if (!this.find(name, version)) await this.remove(name, version);
    });
    // Hashing a large release again would stop all responses for a moment.
    this.#lookUp(name, version, true);
  }

  /** Returns a file of a cached release. */
  readFile(remote: string, version: string, name: string): Promise<Buffer> {
    return readFile(path.join(this.folder, remote, version, name));
  }

  /** Removes a release, which disappears as a whole. */
  async remove(remote: string, version: string): Promise<void> {
    const folder = path.join(this.folder, remote, version);
    if (this.#known.delete(folder)) this.generation += 1;
    const temporary = this.#newTemporary();
    try {
      renameSync(folder, temporary);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    await this.#removeTemporary(temporary);
  }

  /** Removes the releases of a remote that are not in the registry, and were added more than ten minutes ago. */
  async prune(remote: string, isListed: (version: string) => boolean): Promise<void> {
    const now = Date.now();
    for (const version of listFolders(path.join(this.folder, remote))) {
      if (isListed(version) || !releaseVersionSchema.safeParse(version).success) continue;
      const addedAt = statSync(path.join(this.folder, remote, version), { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - addedAt > unlistedAge) await this.remove(remote, version);
    }
  }

  /** Removes what a killed server was writing or removing. Before the first use of the folder. */
  async sweep(): Promise<void> {
    await this.#removeTemporary(path.join(this.folder, temporaryFolder));
  }

  /** Adds a folder that is complete at every moment: fills a temporary one and moves it into place, unless one is there. */
  async addFolder(folder: string, fill: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = this.#newTemporary();
    try {
      await fill(temporary);
      mkdirSync(path.dirname(folder), { recursive: true });
      // Fetched from the registry and mirrored from the origin at once: the first one stays.
      if (identityOf(folder) === undefined) renameSync(temporary, folder);
    } finally {
      await this.#removeTemporary(temporary);
    }
  }

  /** Runs with an empty folder, which is removed afterward, or by the next server's `sweep`. */
  async inTemporary<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
    const folder = this.#newTemporary();
    mkdirSync(folder);
    try {
      return await run(folder);
    } finally {
      await this.#removeTemporary(folder);
    }
  }

  #newTemporary(): string {
    const folder = path.join(this.folder, temporaryFolder);
    mkdirSync(folder, { recursive: true });
    return path.join(folder, randomUUID());
  }

  /** Removes temporary files without blocking the event loop: a release may have thousands of them. */
  async #removeTemporary(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true }).catch(({ message }: Error) => {
      this.#report(`${folder} can't be removed: ${message}`);
    });
  }
}

function listFolders(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];
}
