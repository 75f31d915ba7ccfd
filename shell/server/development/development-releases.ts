import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Registry, type Release, releaseFileName } from '@daybook/contract';
import { checkCollisions, readRelease } from '@daybook/release';
import { type AvailableRelease, register, type SiteReleases } from '../releases/site-releases.ts';
import { identityOf } from '../releases/store/release-store.ts';

/**
 * The release in the folder of a watching build. Loads a new build when it is complete; until then, and while the
 * folder is being rebuilt, the last good one stays.
 */
export class BuildFolder {
  readonly name: string;
  readonly folder: string;
  readonly #report: (problem: string) => void;
  #release: Release | undefined;
  #seen: string | undefined = 'nothing yet';

  constructor(name: string, folder: string, report: (problem: string) => void) {
    this.name = name;
    this.folder = path.resolve(folder);
    this.#report = report;
  }

  /** Returns the release to serve now; `undefined` before the first good build. */
  current(): Release | undefined {
    const file = path.join(this.folder, releaseFileName);
    const seen = identityOf(file);
    if (seen === this.#seen) return this.#release;
    this.#seen = seen;
    try {
      if (!seen) throw new Error(`${file} is missing; build the remote with: npm run build -w ${this.name}`);
      this.#release = readRelease(readFileSync(file, 'utf8'), this.name, `file:${this.folder}`);
    } catch (error) {
      this.#report(`${this.name}: ${error instanceof Error ? error.message : error}`);
    }
    return this.#release;
  }
}

/**
 * Serves the builds in place, for `npm run dev`. Not mirrored: the output of a watching build changes under the
 * same version.
 */
export class DevelopmentReleases implements SiteReleases {
  readonly #folders: readonly BuildFolder[];
  readonly #report: (problem: string) => void;
  #releases: readonly (Release | undefined)[] | undefined;
  #registry: Registry = { remotes: [], missing: [] };

  constructor(folders: readonly BuildFolder[], report: (problem: string) => void) {
    this.#folders = folders;
    this.#report = report;
  }

  registry(): Registry {
    const releases = this.#folders.map((folder) => folder.current());
    if (!releases.every((each, index) => this.#releases && each === this.#releases[index])) {
      this.#releases = releases;
      const remotes = this.#withoutCollisions(releases).map((each) => register(each));
      const names = new Set(remotes.map(({ name }) => name));
      this.#registry = { remotes, missing: this.#folders.map(({ name }) => name).filter((name) => !names.has(name)) };
    }
    return this.#registry;
  }

  hasCanary(): boolean {
    return false;
  }

  find(name: string, version: string): AvailableRelease | undefined {
    const folder = this.#folders.find((candidate) => candidate.name === name);
    const release = folder?.current();
    if (!folder || release?.version !== version) return undefined;
    // Not checked again: the build on this machine has just checked them.
    return { release, folder: folder.folder, fragments: { folder: folder.folder, files: release.files } };
  }

  /** If two remotes claim one path, the first one keeps it, and the other is left out entirely. */
  #withoutCollisions(releases: readonly (Release | undefined)[]): readonly Release[] {
    const admitted: Release[] = [];
    for (const release of releases.filter((each) => each !== undefined)) {
      try {
        checkCollisions(release, admitted);
        admitted.push(release);
      } catch (error) {
        this.#report(`${release.name} is left out: ${(error as Error).message}`);
      }
    }
    return admitted;
  }
}
