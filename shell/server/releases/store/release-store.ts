import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Release, type ReleaseFile, releaseFileName, releaseVersionSchema } from '@daybook/contract/release';
import { type FileSource, ReleaseRejection, readRelease } from '@daybook/release';
import type { AvailableRelease } from '../site-releases.ts';
import { checkFragments, readCheckedFragments } from './checked-fragments.ts';
import { makeFolder, syncFolder } from './durable-files.ts';
import { writeReleaseFiles } from './release-files.ts';

/** A complete release on this server's disk. */
export interface StoredRelease extends AvailableRelease {
  /** In ms since the epoch. */
  readonly storedAt: number;
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
function loadRelease(folder: string, remote: string): StoredRelease | Error {
  try {
    const file = path.join(folder, releaseFileName);
    const release = readRelease(readFileSync(file, 'utf8'), remote, folder);
    if (release.version !== path.basename(folder)) throw new Error(`${file} is of ${release.version}`);
    checkSizes(folder, release.files);
    const fragments = readCheckedFragments(folder);
    checkSizes(fragments.folder, fragments.files);
    return { release, folder, fragments, storedAt: statSync(file).mtimeMs };
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

/** Folder in the releases folder for files that are being written or removed. */
const asideFolder = '.incoming';

/** Cached content of a folder, valid as long as its identity stays the same. */
interface Known {
  readonly folderIdentity: string;
  readonly found: StoredRelease | Error;
  /** By the process's monotonic clock, in ms. */
  readonly readAt: number;
  /** Start of continuous damage, by the same clock; meaningless for a complete release. */
  readonly damagedSince: number;
}

/** In ms: a damaged release is checked again after this time, since the disk may have failed only briefly. */
const damageInterval = 10_000;

/** In ms: `prune` removes a damaged release only after this time, since a brief failure may pass. */
const lastingDamage = 10 * 60_000;

/** In ms: older files are orphaned by a process that has ended, since storing a release takes at most two minutes. */
const orphanAge = 10 * 60_000;

/**
 * The releases on this server's disk, a folder each: `<remote>/<version>/`. Releases are added atomically and are
 * immutable.
 */
export class ReleaseStore {
  readonly folder: string;
  readonly #report: (problem: string) => void;
  readonly #known = new Map<string, Known>();
  /** Changes whenever this process sees a release added or removed. */
  generation = 0;

  constructor(folder: string, report: (problem: string) => void) {
    this.folder = path.resolve(folder);
    this.#report = report;
  }

  /** Returns the releases of a remote, the last stored first. */
  releasesOf(remote: string): readonly StoredRelease[] {
    return listFolders(path.join(this.folder, remote))
      .flatMap((version) => this.find(remote, version) ?? [])
      .sort((one, other) => other.storedAt - one.storedAt);
  }

  /** Finds a release; an incomplete one, such as after a disk error, is reported once and not found. */
  find(remote: string, version: string): StoredRelease | undefined {
    const found = this.#lookUp(remote, version);
    return found instanceof Error ? undefined : found;
  }

  /** Returns why a stored release can't be served: it is damaged, or needs another shell. */
  problemOf(remote: string, version: string): Error | undefined {
    const found = this.#lookUp(remote, version);
    return found instanceof Error ? found : undefined;
  }

  /** Returns what is known of a folder; loads it again if it was replaced, or was damaged some time ago. */
  #lookUp(remote: string, version: string): StoredRelease | Error | undefined {
    if (!releaseVersionSchema.safeParse(version).success) return undefined;
    const folder = path.join(this.folder, remote, version);
    const folderIdentity = identityOf(folder);
    const known = this.#known.get(folder);
    const before = known?.found;
    if (known?.folderIdentity === folderIdentity && !isOldDamage(known)) return before;
    const found = folderIdentity === undefined ? undefined : loadRelease(folder, remote);
    const stillDamaged = found instanceof Error && before instanceof Error;
    if (before && !stillDamaged) this.generation += 1;
    if (!folderIdentity || !found) {
      this.#known.delete(folder);
      return undefined;
    }
    if (found instanceof Error && !(stillDamaged && before.message === found.message))
      this.#report(`${remote}@${version} in ${this.folder} ${unservable(found)}: ${found.message}`);
    const readAt = performance.now();
    const damagedSince = known && stillDamaged ? known.damagedSince : readAt;
    this.#known.set(folder, { folderIdentity, found, readAt, damagedSince });
    return found;
  }

  /**
   * Stores a release: reads, checks and syncs its files in a temporary folder, which is then renamed.
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
    this.generation += 1;
  }

  /** Removes the releases of a remote that are not in `retained`; damaged ones only after ten minutes. */
  async prune(remote: string, retained: ReadonlySet<string>): Promise<void> {
    const removed: string[] = [];
    for (const version of listFolders(path.join(this.folder, remote))) {
      if (retained.has(version) || !releaseVersionSchema.safeParse(version).success) continue;
      if (this.#isFreshlyDamaged(remote, version)) continue;
      const folder = path.join(this.folder, remote, version);
      removed.push(folder);
      this.#known.delete(folder);
      this.generation += 1;
    }
    await this.removeFolders(removed);
  }

  #isFreshlyDamaged(remote: string, version: string): boolean {
    const folder = path.join(this.folder, remote, version);
    // As known when the retained releases were chosen: one that is complete again by now was not among them.
    if (!this.#known.has(folder)) this.find(remote, version);
    const known = this.#known.get(folder);
    return known?.found instanceof Error && performance.now() - known.damagedSince < lastingDamage;
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
   * unless another process on the same releases folder has just done so.
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

/** A release for another contract is whole; an upgrade of the shell, or its way back, makes it servable again. */
const unservable = (problem: Error) =>
  problem instanceof ReleaseRejection && problem.reason === 'contract' ? "can't be served" : 'is damaged';

const isOldDamage = (known: Known | undefined) =>
  known?.found instanceof Error && performance.now() - known.readAt > damageInterval;

function listFolders(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];
}
