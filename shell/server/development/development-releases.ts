import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathConflicts, type Release, type RemoteIndex, releaseFileName, settlePaths } from '@daybook/contract/release';
import { readManifest } from '@daybook/releases';
import { identityOf, type LocalRelease, register, type SiteReleases } from '@daybook/releases/server';

/**
 * The release in the folder of a watching build. Loads a new build when it is complete; until then, and while the
 * folder is being rebuilt, the last good one stays.
 */
export class BuildFolder {
  readonly name: string;
  readonly folder: string;
  readonly #report: (problem: string) => void;
  #current: { readonly release: Release; readonly manifest: string } | undefined;
  #seen: string | undefined = 'nothing yet';

  constructor(name: string, folder: string, report: (problem: string) => void) {
    this.name = name;
    this.folder = path.resolve(folder);
    this.#report = report;
  }

  /** Returns the release to serve now; `undefined` before the first good build. */
  current(): { readonly release: Release; readonly manifest: string } | undefined {
    const file = path.join(this.folder, releaseFileName);
    const seen = identityOf(file);
    if (seen === this.#seen) return this.#current;
    this.#seen = seen;
    try {
      if (!seen) throw new Error(`${file} is missing; build the remote with: npm run build -w ${this.name}`);
      const manifest = readFileSync(file, 'utf8');
      this.#current = { manifest, release: readManifest(manifest, this.name) };
    } catch (error) {
      this.#report(`${this.name}: ${error instanceof Error ? error.message : error}`);
    }
    return this.#current;
  }
}

/**
 * Serves builds in place, for `npm run dev`, beside the releases of other remotes in the registry. Builds are not stored: the
 * output of a watching build changes under the same version.
 */
export class DevelopmentReleases implements SiteReleases {
  readonly #folders: readonly BuildFolder[];
  readonly #stored: SiteReleases;
  readonly #report: (problem: string) => void;
  #releases: readonly Release[] | undefined;
  #index: RemoteIndex = { remotes: [], missing: [] };

  constructor(folders: readonly BuildFolder[], stored: SiteReleases, report: (problem: string) => void) {
    this.#folders = folders;
    this.#stored = stored;
    this.#report = report;
  }

  remoteIndex(): RemoteIndex {
    const { remotes, missing } = this.#stored.remoteIndex();
    const inPlace = new Set(this.#folders.map(({ name }) => name));
    const others = remotes.filter(({ name }) => !inPlace.has(name));
    const stored = others.map(({ name, version }) => this.#stored.find(name, version)?.release);
    const releases = [...stored, ...this.#folders.map((folder) => folder.current()?.release)].filter(
      (each) => each !== undefined,
    );
    const isSame = releases.length === this.#releases?.length;
    if (!isSame || !releases.every((each, index) => each === this.#releases?.[index])) {
      this.#releases = releases;
      const admitted = settlePaths(this.#withoutCollisions(releases).map((each) => register(each)));
      const names = new Set(admitted.map(({ name }) => name));
      const all = new Set([...remotes.map(({ name }) => name), ...missing, ...inPlace]);
      this.#index = { remotes: admitted, missing: [...all].filter((name) => !names.has(name)) };
    }
    return this.#index;
  }

  hasCanary(): boolean {
    return false;
  }

  /** Folders are shown as they are: there is nothing to preview. */
  findPreview(): undefined {
    return undefined;
  }

  catchUp(): Promise<void> {
    return this.#stored.catchUp();
  }

  find(name: string, version: string): LocalRelease | undefined {
    const folder = this.#folders.find((candidate) => candidate.name === name);
    if (!folder) return this.#stored.find(name, version);
    const build = folder.current();
    if (build?.release.version !== version) return undefined;
    // Not checked again: the build on this machine has just checked its pages.
    const pageFile = (fragment: string) => {
      const page = build.release.files[fragment];
      return page && { name: fragment, ...page };
    };
    return { ...build, folder: folder.folder, pageFile };
  }

  /** If two remotes claim one path, the first one keeps it, and the other is left out entirely. */
  #withoutCollisions(releases: readonly Release[]): readonly Release[] {
    const admitted: Release[] = [];
    for (const release of releases) {
      const conflicts = pathConflicts(release, admitted, {});
      if (conflicts.length === 0) admitted.push(release);
      else this.#report(`${release.name} is left out: ${conflicts.join('; ')}`);
    }
    return admitted;
  }
}
