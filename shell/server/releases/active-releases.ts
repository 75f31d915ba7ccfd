import {
  isScriptOrStyle,
  type RegisteredRemote,
  type Registry,
  type Release,
  releaseFileAddress,
} from '@daybook/contract';
import type { RemoteOrigin } from '../environment.ts';
import { ReleaseFolder } from './release-folder.ts';

/** A file of an active release on this server's disk. */
export interface LocatedFile {
  readonly folder: string;
  readonly file: string;
}

/** The releases that the site is made of at this moment. */
export class ActiveReleases {
  readonly #folders: readonly ReleaseFolder[];
  readonly #report: (problem: string) => void;
  #releases: readonly Release[] = [];
  #running: ReadonlySet<Release> = new Set();
  #registry: Registry = { remotes: [], missing: [] };

  constructor(origins: readonly RemoteOrigin[], report: (problem: string) => void) {
    this.#folders = origins.map((origin) => new ReleaseFolder(origin, report));
    this.#report = report;
  }

  /** The registry of the active releases; the same object for as long as they stay the same. */
  registry(): Registry {
    const releases = this.#folders.flatMap((folder) => folder.current() ?? []);
    const unchanged =
      releases.length === this.#releases.length &&
      releases.every((release, index) => release === this.#releases[index]);
    if (!unchanged) {
      this.#releases = releases;
      const remotes = this.#withoutCollisions(releases).map(register);
      const missing = this.#folders
        .map(({ name }) => name)
        .filter((name) => !remotes.some((each) => each.name === name));
      this.#registry = { remotes, missing };
    }
    return this.#registry;
  }

  /** Finds a file by its place on the site; only files that its release names are ever found. */
  locate(name: string, version: string, file: string): LocatedFile | undefined {
    const folder = this.#folders.find((candidate) => candidate.name === name);
    const release = folder?.current();
    if (!folder || release?.version !== version || !Object.hasOwn(release.files, file)) return undefined;
    return { folder: folder.folder, file };
  }

  /**
   * Two releases that claim one path: the one that runs already keeps it, or the one named first where neither
   * does; the other is left out whole.
   */
  #withoutCollisions(releases: readonly Release[]): Release[] {
    const owners = new Map<string, string>();
    const isNewcomer = (release: Release) => !this.#running.has(release);
    const admitted = releases
      .toSorted((one, other) => Number(isNewcomer(one)) - Number(isNewcomer(other)))
      .filter(({ name, routes }) => {
        const taken = routes.find(({ path }) => owners.has(path));
        if (taken) {
          this.#report(`${name} is left out: its route ${taken.path} belongs to ${owners.get(taken.path)}`);
          return false;
        }
        for (const { path } of routes) owners.set(path, name);
        return true;
      });
    this.#running = new Set(admitted);
    return releases.filter((release) => this.#running.has(release));
  }
}

function register({ name, version, entry, routes, files }: Release): RegisteredRemote {
  const integrity = Object.fromEntries(
    Object.entries(files)
      .filter(([file]) => isScriptOrStyle(file))
      .map(([file, described]) => [file, described.integrity]),
  );
  return { name, version, entry: releaseFileAddress({ name, version }, entry), routes, integrity };
}
