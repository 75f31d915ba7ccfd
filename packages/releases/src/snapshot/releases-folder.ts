import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type ReleaseFile, releaseVersionSchema } from '@daybook/contract/release';
import { integrityOf } from '../manifest/manifest.ts';
import { type FileSource, writeReleaseFiles } from '../manifest/release-files.ts';
import type { StoredRelease } from './registry-content.ts';

/** Returns a text that changes when the file or folder is replaced; `undefined` if there is none. */
export function identityOf(folder: string): string | undefined {
  try {
    const { dev, ino, ctimeNs } = statSync(folder, { bigint: true });
    return `${dev} ${ino} ${ctimeNs}`;
  } catch {
    return undefined;
  }
}

/** Thrown if the disk holds another content than was written. */
class DamageError extends Error {
  override readonly name = 'DamageError';
}

/** Returns what is wrong with the disk, for an operator and without the name of a temporary file; `undefined` for another error. */
export function diskProblem(error: unknown): string | undefined {
  if (error instanceof DamageError) return `${error.message}; check the disk of RELEASES_FOLDER`;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
    return 'the disk of RELEASES_FOLDER is full; free some space, and it continues';
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return 'RELEASES_FOLDER can’t be written; give it to the user that the server runs as';
  return undefined;
}

/** Reads one of the files in a folder. @throws DamageError, or an error of the file system if it is missing */
export async function readChecked(
  folder: string,
  files: Readonly<Record<string, ReleaseFile>>,
  name: string,
): Promise<Buffer> {
  const content = await readFile(path.join(folder, name));
  if (integrityOf(content) !== files[name]?.integrity) throw new DamageError(`${name} is damaged`);
  return content;
}

/** @throws Error if a file is missing or damaged */
async function checkFiles(folder: string, files: Readonly<Record<string, ReleaseFile>>): Promise<void> {
  for (const name of Object.keys(files)) await readChecked(folder, files, name);
}

/** Folder in the cache for files that are being written or removed. */
const temporaryFolder = '.incoming';

/** In ms: a release that is not in the snapshot yet, such as one that is being stored, is not removed before. */
const unlistedAge = 10 * 60_000;

/**
 * Checked releases on this server's disk, a folder each: `<remote>/<version>/`. Releases are added atomically and are
 * immutable. All of it is in the registry, too, and may be deleted at any time; so nothing is synced to the disk, and what
 * a power failure left is checked when the next server opens it. One process at a time uses the folder.
 */
export class ReleasesFolder {
  readonly folder: string;
  readonly #report: (problem: string) => void;
  /** Whether a folder has the files of a manifest; valid as long as its identity stays the same. */
  readonly #checked = new Map<
    string,
    { readonly identity: string; readonly manifest: string; readonly isWhole: boolean }
  >();

  constructor(folder: string, report: (problem: string) => void) {
    this.folder = path.resolve(folder);
    this.#report = report;
  }

  /** Returns the folder of a release if it is here, whole: its files are checked when they are first seen. Reports a damaged one. */
  async find({ remote, version, manifest, files }: StoredRelease): Promise<string | undefined> {
    const folder = this.#folderOf(remote, version);
    const identity = identityOf(folder);
    const known = this.#checked.get(folder);
    if (identity === undefined) {
      this.#checked.delete(folder);
      return undefined;
    }
    if (known?.identity === identity && known.manifest === manifest) return known.isWhole ? folder : undefined;
    const problem = await checkFiles(folder, files).catch((error: Error) => error);
    this.#checked.set(folder, { identity, manifest, isWhole: problem === undefined });
    if (problem === undefined) return folder;
    this.#report(`${remote}@${version} in ${this.folder} is damaged, and is fetched again: ${problem.message}`);
    return undefined;
  }

  /** Adds a release from a source, in place of a damaged one. @throws ReleaseRejection if a file differs from its manifest */
  async fetch(
    { remote, version, manifest, files }: StoredRelease,
    source: FileSource,
    signal: AbortSignal,
  ): Promise<void> {
    await this.inTemporary(async (temporary) => {
      await writeReleaseFiles(temporary, { files }, source, signal);
      await this.remove(remote, version);
      this.adopt(temporary, { remote, version, manifest });
    });
  }

  /** Moves a folder of checked files into place. */
  adopt(
    temporary: string,
    { remote, version, manifest }: Pick<StoredRelease, 'remote' | 'version' | 'manifest'>,
  ): void {
    const folder = this.#folderOf(remote, version);
    mkdirSync(path.dirname(folder), { recursive: true });
    // Fetched by the loop and published here at once: the first one stays, and is checked when it is seen.
    if (identityOf(folder) !== undefined) return;
    renameSync(temporary, folder);
    const identity = identityOf(folder);
    // Hashing a large release again would take as long as writing it.
    if (identity !== undefined) this.#checked.set(folder, { identity, manifest, isWhole: true });
  }

  /** Removes a release, which disappears as a whole. */
  async remove(remote: string, version: string): Promise<void> {
    const folder = this.#folderOf(remote, version);
    this.#checked.delete(folder);
    const temporary = this.#newTemporary();
    try {
      renameSync(folder, temporary);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    await this.#removeTemporary(temporary);
  }

  /** Removes the releases of a remote that are not listed, and were added more than ten minutes ago. */
  async prune(remote: string, isListed: (version: string) => boolean): Promise<void> {
    const now = Date.now();
    for (const version of listFolders(path.join(this.folder, remote))) {
      if (isListed(version) || !releaseVersionSchema.safeParse(version).success) continue;
      const addedAt = statSync(this.#folderOf(remote, version), { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - addedAt > unlistedAge) await this.remove(remote, version);
    }
  }

  /** Removes what a killed server was writing or removing. Before the first use of the folder. */
  async sweep(): Promise<void> {
    await this.#removeTemporary(path.join(this.folder, temporaryFolder));
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

  #folderOf(remote: string, version: string): string {
    return path.join(this.folder, remote, version);
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
