import {
  isScriptOrStyle,
  type PublicRegistry,
  type RegisteredRelease,
  type Release,
  releaseFileAddress,
  releaseFileName,
} from '@daybook/contract/release';
import type { CachedRelease } from '../cache/release-cache.ts';

/** A running preview, and the site as its visitors see it. */
export interface PreviewedSite {
  readonly remote: string;
  readonly version: string;
  /** In ms since the epoch. */
  readonly endsAt: number;
  /** The active releases, but the previewed one of its remote; `undefined` while its files are not here. */
  readonly registry: PublicRegistry | undefined;
}

/** The site's current releases. */
export interface ServedReleases {
  /**
   * Returns the registry for a visitor; the same object as long as the visitor's releases stay the same.
   *
   * @param bucket the visitor's canary bucket from 0 to 99; without it, no canaries
   */
  registry(bucket?: number): PublicRegistry;
  /** Returns whether any canary runs. */
  hasCanary(): boolean;
  /** Finds the running preview of a link's token. */
  findPreview(token: string): Promise<PreviewedSite | undefined>;
  /** Finds a release on this server. */
  find(name: string, version: string): CachedRelease | undefined;
}

/**
 * Returns the folder of a file by its place on the site; finds only files that a release lists, and its description,
 * which makes the site an origin for development servers.
 */
export function folderOfFile(
  releases: Pick<ServedReleases, 'find'>,
  name: string,
  version: string,
  file: string,
): string | undefined {
  const found = releases.find(name, version);
  return found && (file === releaseFileName || Object.hasOwn(found.release.files, file)) ? found.folder : undefined;
}

function registerRelease({ name, version, entry, files }: Release): RegisteredRelease {
  const integrity = Object.entries(files)
    .filter(([file]) => isScriptOrStyle(file))
    .map(([file, each]) => [file, each.integrity]);
  return {
    version,
    entry: releaseFileAddress({ name, version }, entry),
    integrity: Object.fromEntries(integrity),
  };
}

/** Maximum size in bytes of what a browser downloads of a page whose link the visitor only points at. */
const maxPrefetchSize = 500_000;

/** Returns the scripts and styles of a page that a browser downloads before it runs any; without those beyond the maximum size. */
function downloadable(page: readonly string[], { files }: Release): readonly string[] {
  let size = 0;
  return page.filter((file) => {
    size += files[file]?.size ?? 0;
    return isScriptOrStyle(file) && size <= maxPrefetchSize;
  });
}

/** Returns a remote's entry in the registry, from its active release and its fallback; `settlePaths` completes it. */
export function register(active: Release, previous?: Release) {
  const routes = active.routes.map(({ files, fragment: _fragment, hydrate: _hydrate, ...route }) => ({
    ...route,
    files: downloadable(files, active),
  }));
  return {
    name: active.name,
    ...registerRelease(active),
    routes,
    ...(active.redirects && { redirects: active.redirects }),
    ...(previous ? { previous: registerRelease(previous) } : {}),
  };
}

/**
 * Returns the part of the registry that a page contains: only its own remote's integrity values, no fallback releases,
 * and of the routes what the browser needs.
 */
export function inlineRegistry({ remotes, ...rest }: PublicRegistry, own: string | undefined): PublicRegistry {
  return {
    remotes: remotes.map(({ integrity, previous: _, routes, ...remote }) => ({
      ...remote,
      routes: routes.map(({ path, title, frame, files }) => ({
        ...{ path, title, frame },
        ...(remote.name === own && files && { files }),
      })),
      ...(remote.name === own && integrity && { integrity }),
    })),
    ...rest,
  };
}
