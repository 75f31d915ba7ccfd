import type { Registry, Release } from '@daybook/contract';
import { register } from '../releases/register.ts';
import type { KeptRelease, LocatedFile, SiteReleases } from '../releases/site-releases.ts';
import { checkCollisions } from '../releases/store/release-gate.ts';
import type { DistFolder } from './dist-folder.ts';

/**
 * The dist folders as they are, for `npm run dev`. They are served in place and not mirrored, since what
 * watching builds is no release: it changes under one version.
 */
export class DevelopmentReleases implements SiteReleases {
  readonly #folders: readonly DistFolder[];
  readonly #report: (problem: string) => void;
  #releases: readonly (Release | undefined)[] = [];
  #registry: Registry = { remotes: [], missing: [] };

  constructor(folders: readonly DistFolder[], report: (problem: string) => void) {
    this.#folders = folders;
    this.#report = report;
  }

  registry(): Registry {
    const releases = this.#folders.map((folder) => folder.current());
    const unchanged =
      releases.length === this.#releases.length && releases.every((each, index) => each === this.#releases[index]);
    if (!unchanged) {
      this.#releases = releases;
      const remotes = this.#withoutCollisions(releases.filter((each) => each !== undefined)).map((each) =>
        register(each),
      );
      const names = new Set(remotes.map(({ name }) => name));
      this.#registry = { remotes, missing: this.#folders.map(({ name }) => name).filter((name) => !names.has(name)) };
    }
    return this.#registry;
  }

  hasCanary(): boolean {
    return false;
  }

  find(name: string, version: string): KeptRelease | undefined {
    const folder = this.#folders.find((candidate) => candidate.name === name);
    const release = folder?.current();
    if (!folder || release?.version !== version) return undefined;
    // The build has checked them, a moment ago and for this machine alone.
    return { release, folder: folder.folder, fragments: { folder: folder.folder, files: release.files } };
  }

  locate(name: string, version: string, file: string): LocatedFile | undefined {
    const kept = this.find(name, version);
    return kept && Object.hasOwn(kept.release.files, file) ? { folder: kept.folder, file } : undefined;
  }

  /** Where two remotes claim one path, the one named first keeps it, and the other is left out whole. */
  #withoutCollisions(releases: readonly Release[]): readonly Release[] {
    const admitted: Release[] = [];
    for (const release of releases) {
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
