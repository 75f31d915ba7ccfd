import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Release, type ReleaseFile, releaseFileName, releaseVersionSchema } from '@daybook/contract/release';
import { readRelease } from '../gate/gate.ts';
import type { FileSource } from '../origins/origin.ts';
import type { AvailableRelease } from '../serving/site-releases.ts';
import { checkFragments, readCheckedFragments } from './checked-fragments.ts';
import { makeFolder, syncFolder } from './durable-files.ts';
import { writeReleaseFiles } from './release-files.ts';

/** A complete release on this server's disk. */
export interface CachedRelease extends AvailableRelease {
  /** Its `release.json`, byte for byte. */
  readonly description: string;
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

/** Loads a release; returns an error if it is not complete. */
function loadRelease(folder: string, remote: string): CachedRelease | Error {
  try {
    const file = path.join(folder, releaseFileName);
    const description = readFileSync(file, 'utf8');
    const release = readRelease(description, remote, folder);
    if (release.version !== path.basename(folder)) throw new Error(`${file} is of ${release.version}`);
    checkSizes(folder, release.files);
    const fragments = readCheckedFragments(folder);
    checkSizes(fragments.folder, fragments.files);
    return { release, description, folder, fragments };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function checkSizes(folder: string, files: Readonly<Record<string, ReleaseFile>>): void {
  for (const [name, { size }] of Object.entries(files)) {
    const found = statSync(path.join(folder, name), { throwIfNoEntry: false })?.size;
    if (found !== size) throw new Error(`${name} has ${found ?? 'no'} bytes instead of ${size}`);
  }
}

/** Folder in the cache for files that are being written or removed. */
const asideFolder = '.incoming';

/** What is known of a folder, valid as long as its identity stays the same. */
interface Known {
  readonly folderIdentity: string;
  readonly found: CachedRelease | Error;
}

/** In ms: older files are orphaned by a process that has ended, since storing a release takes at most two minutes. */
const orphanAge = 10 * 60_000;

/** In ms: a release that is no longer in the registry stays for pages that another server has just composed. */
const unlistedAge = 10 * 60_000;

/**
 * Checked releases on this server's disk, a folder each: `<remote>/<version>/`. Releases are added atomically and are
 * immutable. All of it is in the registry, too, and may be deleted at any time.
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
  #lookUp(remote: string, version: string): CachedRelease | Error | undefined {
    if (!releaseVersionSchema.safeParse(version).success) return undefined;
    const folder = path.join(this.folder, remote, version);
    const folderIdentity = identityOf(folder);
    const known = this.#known.get(folder);
    if (known && known.folderIdentity === folderIdentity) return known.found;
    const found = folderIdentity === undefined ? undefined : loadRelease(folder, remote);
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
   * Adds a release: reads, checks and syncs its files in a temporary folder, which is then renamed.
   *
   * @param text its `release.json`, stored unchanged
   * @param readFile reads one of its files
   * @throws ReleaseRejection if a file differs from `release.json`, or a fragment can't become part of a document
   */
  async add(release: Release, text: string, readFile: FileSource, signal: AbortSignal): Promise<void> {
    const { name, version } = release;
    const isComplete = () => this.find(name, version) !== undefined;
    await this.addFolder(path.join(this.folder, name, version), isComplete, async (temporary) => {
      await writeReleaseFiles(temporary, release, readFile, signal);
      await checkFragments(temporary, release, signal);
      writeFileSync(path.join(temporary, releaseFileName), text, { flush: true });
    });
    // Changes the generation.
    isComplete();
  }

  /** Returns a file of a cached release. */
  readFile(remote: string, version: string, name: string): Promise<Buffer> {
    return readFile(path.join(this.folder, remote, version, name));
  }

  /** Removes a release. */
  async remove(remote: string, version: string): Promise<void> {
    const folder = path.join(this.folder, remote, version);
    this.#known.delete(folder);
    this.generation += 1;
    await this.removeFolders([folder]);
  }

  /** Removes the releases of a remote that have not been in the registry for ten minutes. */
  async prune(remote: string, isListed: (version: string) => boolean, now = Date.now()): Promise<void> {
    for (const version of listFolders(path.join(this.folder, remote))) {
      if (isListed(version) || !releaseVersionSchema.safeParse(version).success) continue;
      const addedAt = statSync(path.join(this.folder, remote, version), { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - addedAt > unlistedAge) await this.remove(remote, version);
    }
  }

  /** Removes orphaned files of processes that have ended. */
  async sweep(now = Date.now()): Promise<void> {
    const folder = path.join(this.folder, asideFolder);
    const isOld = (name: string) => {
      const changedAt = statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now;
      return now - changedAt > orphanAge;
    };
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const orphaned = names.filter(isOld);
    await this.#remove(orphaned.map((name) => path.join(folder, name)));
  }

  /**
   * Adds a folder of files that is complete at every moment: fills a temporary one, syncs it and moves it into place,
   * unless another process on the same folder has just done so.
   */
  async addFolder(
    folder: string,
    isComplete: () => boolean,
    fill: (temporary: string) => Promise<void>,
  ): Promise<void> {
    const temporary = this.#aside();
    const removed = [temporary];
    try {
      makeFolder(temporary);
      await fill(temporary);
      syncFolder(temporary);
      if (isComplete()) return;
      // A folder in its place is damaged, or another process was faster by a moment.
      removed.push(this.#moveAside(folder));
      makeFolder(path.dirname(folder));
      try {
        renameSync(temporary, folder);
      } catch (error) {
        if (!isComplete()) throw error;
      }
      syncFolder(path.dirname(folder));
    } finally {
      await this.#remove(removed);
    }
  }

  /** Removes folders, each of which disappears as a whole. */
  async removeFolders(folders: readonly string[]): Promise<void> {
    await this.#remove(folders.map((folder) => this.#moveAside(folder)));
  }

  #aside(): string {
    makeFolder(path.join(this.folder, asideFolder));
    return path.join(this.folder, asideFolder, randomUUID());
  }

  /** Moves a folder out of place atomically; does nothing if another process was first. */
  #moveAside(folder: string): string {
    const aside = this.#aside();
    try {
      renameSync(folder, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return aside;
  }

  /**
   * Removes temporary folders without blocking the event loop: a release may have thousands of files. A later sweep
   * retries failures.
   */
  async #remove(folders: readonly string[]): Promise<void> {
    for (const folder of folders)
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
