import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { filePathSchema, releaseVersionSchema } from '@daybook/contract/release';
import type { ShellBuild } from '../pages/shell-build.ts';
import type { ReleaseStore } from '../releases/store/release-store.ts';

/** In the releases folder; not a valid remote name. */
const folderName = '.shell';

/** A file of a build with a content hash in its name, or its compressed form. */
const hashedFile = /\.[0-9a-f]{8}\.\w+(?:\.(?:br|gz))?$/;

async function copyHashedFiles(from: string, to: string): Promise<void> {
  for (const file of await readdir(from, { recursive: true })) {
    if (!hashedFile.test(file)) continue;
    await mkdir(path.dirname(path.join(to, file)), { recursive: true });
    await writeFile(path.join(to, file), await readFile(path.join(from, file)), { flush: true });
  }
}

/**
 * Stores the hashed files of the shell's builds, this version and earlier ones, in a folder each of the releases folder.
 * A page of any version gets its files from any shell server on that folder.
 */
export class RetainedShellBuilds {
  readonly #store: ReleaseStore;
  readonly #folder: string;
  readonly #retained: number;

  /** @param retained number of versions */
  constructor(store: ReleaseStore, retained: number) {
    this.#store = store;
    this.#folder = path.join(store.folder, folderName);
    this.#retained = retained;
  }

  /**
   * Stores a build, and removes the least recently started versions.
   *
   * @throws Error of the file system
   */
  async add(build: ShellBuild): Promise<void> {
    const version = releaseVersionSchema.parse(build.manifest().version);
    const place = path.join(this.#folder, version);
    if (existsSync(place)) await utimes(place, new Date(), new Date());
    else {
      const isStored = () => existsSync(place);
      const copy = (temporary: string) => copyHashedFiles(build.folder, temporary);
      await this.#store.addFolder(place, isStored, copy).catch((error: unknown) => {
        // Another server of this version may have been faster.
        if (!isStored()) throw error;
      });
    }
    await this.#prune(version);
  }

  /** Returns the folder of a build that has this file; `undefined` if none has it. */
  folderOf(file: string): string | undefined {
    if (!filePathSchema.safeParse(file).success) return undefined;
    const folders = this.#versions().map((version) => path.join(this.#folder, version));
    return folders.find((folder) => existsSync(path.join(folder, file)));
  }

  async #prune(own: string): Promise<void> {
    const startedAt = (version: string) =>
      statSync(path.join(this.#folder, version), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const others = this.#versions().filter((version) => version !== own);
    const old = others.toSorted((one, other) => startedAt(other) - startedAt(one)).slice(this.#retained - 1);
    // The next start tries again to remove one that can't be.
    for (const version of old)
      await this.#store.removeFolders([path.join(this.#folder, version)]).catch(() => undefined);
  }

  #versions(): readonly string[] {
    const isFolder = statSync(this.#folder, { throwIfNoEntry: false })?.isDirectory();
    const names = isFolder ? readdirSync(this.#folder) : [];
    return names.filter((name) => releaseVersionSchema.safeParse(name).success);
  }
}
