import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName, releaseVersionSchema } from '@daybook/contract';
import { makeFolder, syncFolder } from './durable-files.ts';
import { type FileSource, writeReleaseFiles } from './release-files.ts';
import { readRelease } from './release-gate.ts';

/** A release that is whole on this server's disk. */
export interface StoredRelease {
  readonly release: Release;
  /** Where its files are. */
  readonly folder: string;
  /** When it was stored, in ms since the epoch. */
  readonly storedAt: number;
}

/** Where releases are while they are written, and while they are removed. */
const incoming = '.incoming';

/** What is left in there after this many ms is of a process that is gone: no mirror run takes so long. */
const leftoverAge = 10 * 60_000;

/**
 * The releases on this server's disk, a folder each: `<remote>/<version>/`. A release is there whole or not at
 * all, and never changes once it is.
 */
export class ReleaseStore {
  readonly folder: string;
  readonly #report: (problem: string) => void;
  readonly #known = new Map<string, StoredRelease>();
  #generation = 0;

  constructor(folder: string, report: (problem: string) => void) {
    this.folder = path.resolve(folder);
    this.#report = report;
  }

  /** Another number after each release that this process has stored or removed. */
  get generation(): number {
    return this.#generation;
  }

  /** The releases of a remote, the last stored first. */
  releasesOf(remote: string): readonly StoredRelease[] {
    return listNames(path.join(this.folder, remote))
      .flatMap((version) => this.find(remote, version) ?? [])
      .sort((one, other) => other.storedAt - one.storedAt);
  }

  /** Finds a release; one that is not whole, such as after a disk error, is reported and not found. */
  find(remote: string, version: string): StoredRelease | undefined {
    if (!releaseVersionSchema.safeParse(version).success) return undefined;
    const folder = path.join(this.folder, remote, version);
    if (!existsSync(folder)) {
      this.#known.delete(folder);
      return undefined;
    }
    const known = this.#known.get(folder);
    if (known) return known;
    try {
      const found = load(folder, remote);
      this.#known.set(folder, found);
      return found;
    } catch (error) {
      this.#report(
        `${remote}@${version} in ${this.folder} is damaged: ${error instanceof Error ? error.message : error}`,
      );
      return undefined;
    }
  }

  /**
   * Stores a release: its files are read, checked and synced in a folder aside, which is then renamed.
   *
   * @param text its description, kept to the letter
   * @param readFile reads one of its files
   * @throws ReleaseRefusal where a file is not what the description says
   */
  async add(release: Release, text: string, readFile: FileSource, signal: AbortSignal): Promise<void> {
    const temporary = this.#aside();
    const folder = path.join(this.folder, release.name, release.version);
    try {
      await writeReleaseFiles(temporary, release, readFile, signal);
      writeFileSync(path.join(temporary, releaseFileName), text, { flush: true });
      syncFolder(temporary);
      // Only a damaged one can be there: `find` has not found it.
      if (existsSync(folder)) renameSync(folder, this.#aside());
      makeFolder(path.dirname(folder));
      renameSync(temporary, folder);
      syncFolder(path.dirname(folder));
      this.#generation += 1;
    } finally {
      this.#sweep([temporary]);
    }
  }

  /** Removes the releases of a remote that are not in `kept`. */
  prune(remote: string, kept: ReadonlySet<string>): void {
    for (const version of listNames(path.join(this.folder, remote))) {
      if (kept.has(version) || !releaseVersionSchema.safeParse(version).success) continue;
      const folder = path.join(this.folder, remote, version);
      const aside = this.#aside();
      renameSync(folder, aside);
      this.#known.delete(folder);
      this.#generation += 1;
      this.#sweep([aside]);
    }
  }

  /** Removes what processes that are gone have left half done. */
  sweep(now = Date.now()): void {
    const leftovers = listNames(path.join(this.folder, incoming))
      .map((name) => path.join(this.folder, incoming, name))
      .filter((folder) => now - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now) > leftoverAge);
    this.#sweep(leftovers);
  }

  #aside(): string {
    const folder = path.join(this.folder, incoming);
    makeFolder(folder);
    return path.join(folder, randomUUID());
  }

  #sweep(folders: readonly string[]): void {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

function listNames(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];
}

function load(folder: string, remote: string): StoredRelease {
  const file = path.join(folder, releaseFileName);
  const release = readRelease(readFileSync(file, 'utf8'), remote, folder);
  if (release.version !== path.basename(folder)) throw new Error(`${file} is of ${release.version}`);
  for (const [name, { size }] of Object.entries(release.files)) {
    const found = statSync(path.join(folder, name), { throwIfNoEntry: false })?.size;
    if (found !== size) throw new Error(`${name} has ${found ?? 'no'} bytes instead of ${size}`);
  }
  return { release, folder, storedAt: statSync(file).mtimeMs };
}
