import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { filePathSchema, type ReleaseFile, releaseFileSchema, releaseVersionSchema } from '@daybook/contract/release';
import * as z from 'zod';
import { integrityOf } from '../gate/gate.ts';
import { type RegistryCopy, shellName } from '../registry/registry-copy.ts';
import { filesIn, type ReleaseRegistry } from '../registry/release-registry.ts';
import { checkFiles, identityOf, type ReleaseCache } from './release-cache.ts';
import { writeReleaseFiles } from './release-files.ts';

/** A file of a build with a content hash in its name, or its compressed form. */
const hashedFile = /\.[0-9a-f]{8}\.\w+(?:\.(?:br|gz))?$/;

const descriptionSchema = z.object({ files: z.record(filePathSchema, releaseFileSchema) });

type Build = ReturnType<RegistryCopy['shellBuilds']>[number];

const describedFiles = ({ description }: Build) => descriptionSchema.parse(JSON.parse(description));

interface ShellBuildsOptions {
  readonly registry: ReleaseRegistry;
  readonly copy: RegistryCopy;
  readonly cache: ReleaseCache;
  /** This server's build. */
  readonly own: { readonly version: string; readonly folder: string };
  /** Number of versions to retain. */
  readonly retained: number;
}

/**
 * The hashed files of the shell's builds, this version and others: a page of any version gets its files from any shell
 * server, also during a rolling update.
 */
export class ShellBuilds {
  readonly #options: ShellBuildsOptions;
  /** Whether another build is whole, by its version; valid as long as its folder's identity stays the same. */
  readonly #checked = new Map<string, { readonly identity: string; readonly isWhole: boolean }>();
  #isStarted = false;

  constructor(options: ShellBuildsOptions) {
    this.#options = options;
  }

  /**
   * Stores this server's build, and fetches the others.
   *
   * @throws RegistryError, or an error of the file system
   */
  async fill(signal: AbortSignal): Promise<void> {
    const { registry, copy, cache, own } = this.#options;
    if (!this.#isStarted || !copy.shellBuilds().some(({ version }) => version === own.version)) await this.#addOwn();
    for (const build of copy.shellBuilds()) {
      const { version } = build;
      if (version === own.version || this.#isWhole(build)) continue;
      // A damaged one.
      await cache.remove(shellName, version);
      await cache.addFolder(this.#placeOf(version), (temporary) =>
        writeReleaseFiles(temporary, describedFiles(build), filesIn(registry, shellName, version), signal),
      );
    }
    const listed = new Set(copy.shellBuilds().map(({ version }) => version));
    await cache.prune(shellName, (version) => listed.has(version));
  }

  /** Returns the folder of another build that has this file; `undefined` if none has it. */
  folderOf(file: string): string | undefined {
    if (!filePathSchema.safeParse(file).success) return undefined;
    const found = this.#options.copy
      .shellBuilds()
      .find((build) => existsSync(path.join(this.#placeOf(build.version), file)) && this.#isWhole(build));
    return found && this.#placeOf(found.version);
  }

  /** Returns whether a build is here, whole: like a release, it is checked when it is first seen. */
  #isWhole(build: Build): boolean {
    const place = this.#placeOf(build.version);
    const identity = identityOf(place);
    if (identity === undefined) return false;
    const known = this.#checked.get(build.version);
    if (known?.identity === identity) return known.isWhole;
    let isWhole = true;
    try {
      checkFiles(place, describedFiles(build).files);
    } catch {
      isWhole = false;
    }
    this.#checked.set(build.version, { identity, isWhole });
    return isWhole;
  }

  /** Also removes the least recently started builds. */
  async #addOwn(): Promise<void> {
    const { registry, copy, own, retained } = this.#options;
    const version = releaseVersionSchema.parse(own.version);
    const names = (await readdir(own.folder, { recursive: true })).filter((name) => hashedFile.test(name));
    const contentOf = (name: string) => readFile(path.join(own.folder, name));
    const files: Record<string, ReleaseFile> = {};
    for (const name of names) {
      const content = await contentOf(name);
      files[name] = { integrity: integrityOf(content), size: content.length };
    }
    const release = { remote: shellName, version, description: JSON.stringify({ files }), files: names };
    if (!(await registry.store(release, contentOf))) await registry.touch(shellName, version);
    await copy.refresh();
    const old = copy.shellBuilds().slice(retained);
    const removed = old.map((each) => each.version);
    if (removed.length > 0) await registry.remove(shellName, removed, 0);
    this.#isStarted = true;
  }

  #placeOf(version: string): string {
    return path.join(this.#options.cache.folder, shellName, version);
  }
}
