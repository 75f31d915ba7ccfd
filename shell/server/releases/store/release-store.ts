import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Release, type ReleaseFile, releaseFileName, releaseVersionSchema } from '@daybook/contract';
import { type FileSource, readRelease } from '@daybook/release';
import type { KeptRelease } from '../site-releases.ts';
import { checkFragments, readCheckedFragments } from './checked-fragments.ts';
import { asideFolder, asidePath, makeFolder, syncFolder } from './durable-files.ts';
import { writeReleaseFiles } from './release-files.ts';

/** A release that is whole on this server's disk. */
export interface StoredRelease extends KeptRelease {
  /** When it was stored, in ms since the epoch. */
  readonly storedAt: number;
}

/** Another text for another file or folder in this place; `undefined` where none is. */
export function identityOf(folder: string): string | undefined {
  try {
    const { dev, ino, ctimeNs } = statSync(folder, { bigint: true });
    return `${dev} ${ino} ${ctimeNs}`;
  } catch {
    return undefined;
  }
}

/** Returns what is wrong with a release where it is not whole. */
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

/** What was found in a folder, for as long as the folder is the same one. */
interface Known {
  readonly folderIdentity: string;
  readonly found: StoredRelease | Error;
  /** By the process's own clock, in ms. */
  readonly readAt: number;
  /** Since when it has been found damaged at each look, by the same clock; no matter where it is whole. */
  readonly damagedSince: number;
}

/** A damaged release is looked at again after this many ms: the disk may have failed for a moment only. */
const damageInterval = 10_000;

/** Only what has been damaged for this many ms is removed by `prune`: what fails for a moment may be whole again. */
const lastingDamage = 10 * 60_000;

/** What is aside for longer than this many ms was left by a process that has ended: storing a release takes two minutes at most. */
const leftoverAge = 10 * 60_000;

/**
 * The releases on this server's disk, a folder each: `<remote>/<version>/`. A release is there whole or not at
 * all, and never changes once it is.
 */
export class ReleaseStore {
  readonly folder: string;
  readonly #report: (problem: string) => void;
  readonly #known = new Map<string, Known>();
  #generation = 0;

  constructor(folder: string, report: (problem: string) => void) {
    this.folder = path.resolve(folder);
    this.#report = report;
  }

  /** Another number after each release that has come or gone, as far as this process has seen. */
  get generation(): number {
    return this.#generation;
  }

  /** The releases of a remote, the last stored first. */
  releasesOf(remote: string): readonly StoredRelease[] {
    return listFolders(path.join(this.folder, remote))
      .flatMap((version) => this.find(remote, version) ?? [])
      .sort((one, other) => other.storedAt - one.storedAt);
  }

  /** Finds a release; one that is not whole, such as after a disk error, is reported once and not found. */
  find(remote: string, version: string): StoredRelease | undefined {
    if (!releaseVersionSchema.safeParse(version).success) return undefined;
    const folder = path.join(this.folder, remote, version);
    const folderIdentity = identityOf(folder);
    let known = this.#known.get(folder);
    if (known?.folderIdentity !== folderIdentity || isOldDamage(known)) {
      known = this.#read(folder, folderIdentity, remote);
    }
    return known?.found instanceof Error ? undefined : known?.found;
  }

  #read(folder: string, folderIdentity: string | undefined, remote: string): Known | undefined {
    const known = this.#known.get(folder);
    const before = known?.found;
    const found = folderIdentity === undefined ? undefined : loadRelease(folder, remote);
    const stillDamaged = found instanceof Error && before instanceof Error;
    if (before && !stillDamaged) this.#generation += 1;
    if (!folderIdentity || !found) {
      this.#known.delete(folder);
      return undefined;
    }
    if (found instanceof Error && !(stillDamaged && before.message === found.message))
      this.#report(`${remote}@${path.basename(folder)} in ${this.folder} is damaged: ${found.message}`);
    const readAt = performance.now();
    const read = { folderIdentity, found, readAt, damagedSince: known && stillDamaged ? known.damagedSince : readAt };
    this.#known.set(folder, read);
    return read;
  }

  /**
   * Stores a release: its files are read, checked and synced in a folder aside, which is then renamed.
   *
   * @param text its description, kept to the letter
   * @param readFile reads one of its files
   * @throws ReleaseRefusal where a file is not what the description says, or a fragment can't become part of a document
   */
  async add(release: Release, text: string, readFile: FileSource, signal: AbortSignal): Promise<void> {
    const temporary = this.#aside();
    try {
      await writeReleaseFiles(temporary, release, readFile, signal);
      await checkFragments(temporary, release, signal);
      writeFileSync(path.join(temporary, releaseFileName), text, { flush: true });
      syncFolder(temporary);
      await this.#settle(temporary, release);
      this.#generation += 1;
    } finally {
      await this.#remove([temporary]);
    }
  }

  /** Removes the releases of a remote that are not in `kept`; a damaged one, once it has been so for ten minutes. */
  async prune(remote: string, kept: ReadonlySet<string>): Promise<void> {
    const removed: string[] = [];
    for (const version of listFolders(path.join(this.folder, remote))) {
      if (kept.has(version) || !releaseVersionSchema.safeParse(version).success) continue;
      if (this.#isFreshlyDamaged(remote, version)) continue;
      const folder = path.join(this.folder, remote, version);
      removed.push(this.#moveAside(folder));
      this.#known.delete(folder);
      this.#generation += 1;
    }
    await this.#remove(removed);
  }

  #isFreshlyDamaged(remote: string, version: string): boolean {
    const folder = path.join(this.folder, remote, version);
    // What was known when the kept ones were chosen: one that is whole again by now was not among them.
    if (!this.#known.has(folder)) this.find(remote, version);
    const known = this.#known.get(folder);
    return known?.found instanceof Error && performance.now() - known.damagedSince < lastingDamage;
  }

  /** Removes what processes that have ended left half done. */
  async sweep(now = Date.now()): Promise<void> {
    const folder = path.join(this.folder, asideFolder);
    const isOld = (name: string) => {
      const changedAt = statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now;
      return now - changedAt > leftoverAge;
    };
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const leftovers = names.filter(isOld);
    await this.#remove(leftovers.map((name) => path.join(folder, name)));
  }

  /** Puts a whole release in its place, unless another process on the same folder has just done so. */
  async #settle(temporary: string, { name, version }: Release): Promise<void> {
    if (this.find(name, version)) return;
    const folder = path.join(this.folder, name, version);
    // What is there now can only be damaged.
    const aside = this.#moveAside(folder);
    try {
      makeFolder(path.dirname(folder));
      renameSync(temporary, folder);
    } catch (error) {
      if (!this.find(name, version)) throw error;
    } finally {
      await this.#remove([aside]);
    }
    syncFolder(path.dirname(folder));
  }

  #aside(): string {
    const aside = asidePath(this.folder);
    makeFolder(path.dirname(aside));
    return aside;
  }

  /** Takes a folder out of its place in one step; where another process was first, there is nothing to do. */
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
   * Removes folders aside, without blocking the event loop: a release may have thousands of files. Those that resist are
   * tried again by a later sweep.
   */
  async #remove(folders: readonly string[]): Promise<void> {
    for (const folder of folders)
      await rm(folder, { recursive: true, force: true }).catch(({ message }: Error) => {
        this.#report(`${folder} can't be removed: ${message}`);
      });
  }
}

const isOldDamage = (known: Known | undefined) =>
  known?.found instanceof Error && performance.now() - known.readAt > damageInterval;

function listFolders(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];
}
