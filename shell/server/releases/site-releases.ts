import {
  isScriptOrStyle,
  type RegisteredRelease,
  type RegisteredRemote,
  type Registry,
  type Release,
  type ReleaseFile,
  releaseFileAddress,
} from '@daybook/contract';

/** Fragments in the form that the parser wrote, by the names that the release has for them. */
export interface CheckedFragments {
  readonly folder: string;
  readonly files: Readonly<Record<string, ReleaseFile>>;
}

/** A release on this server's disk. */
export interface KeptRelease {
  readonly release: Release;
  /** Where its files are. */
  readonly folder: string;
  readonly fragments: CheckedFragments;
}

/** The releases that the site is made of at this moment. */
export interface SiteReleases {
  /**
   * The registry for a visitor; the same object for as long as the visitor's releases stay the same.
   *
   * @param bucket the visitor's number from 0 to 99, which decides on canaries; without it, none
   */
  registry(bucket?: number): Registry;
  /** Whether some visitors get other releases than others. */
  hasCanary(): boolean;
  /** Finds a release that is kept here. */
  find(name: string, version: string): KeptRelease | undefined;
}

/** Returns the folder of a file by its place on the site; only files that a release names are ever found. */
export function folderOfFile(
  releases: Pick<SiteReleases, 'find'>,
  name: string,
  version: string,
  file: string,
): string | undefined {
  const found = releases.find(name, version);
  return found && Object.hasOwn(found.release.files, file) ? found.folder : undefined;
}

function registerRelease({ name, version, entry, files }: Release): RegisteredRelease {
  const integrity = Object.entries(files)
    .filter(([file]) => isScriptOrStyle(file))
    .map(([file, each]) => [file, each.integrity]);
  return { version, entry: releaseFileAddress({ name, version }, entry), integrity: Object.fromEntries(integrity) };
}

/** A remote as the browser knows it, from its active release and the one to fall back to. */
export function register(active: Release, previous?: Release): RegisteredRemote {
  const routes = active.routes.map(({ files: _, ...route }) => route);
  return {
    name: active.name,
    ...registerRelease(active),
    routes,
    ...(previous ? { previous: registerRelease(previous) } : {}),
  };
}

/** The part of the registry that a page carries: the integrity values of its own remote, and no fallback releases. */
export function inlineRegistry({ remotes, missing }: Registry, own: string | undefined): Registry {
  return {
    remotes: remotes.map(({ integrity, previous: _, ...remote }) =>
      remote.name === own && integrity ? { ...remote, integrity } : remote,
    ),
    missing,
  };
}
