import {
  isScriptOrStyle,
  type RegisteredRelease,
  type RegisteredRemote,
  type Release,
  type RemoteIndex,
  releaseFileUrl,
} from '@daybook/contract/release';

function registerRelease({ name, version, entry, files }: Release): RegisteredRelease {
  const integrity = Object.entries(files)
    .filter(([file]) => isScriptOrStyle(file))
    .map(([file, each]) => [file, each.integrity]);
  return {
    version,
    entry: releaseFileUrl({ name, version }, entry),
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

/** Returns a remote's entry in the remote index, from its active release and its fallback; `settlePaths` completes it. */
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

/** Returns what the pages of other remotes contain of a remote: what the browser needs to link to its pages. */
export function inlineRemote({ integrity: _, previous: __, routes, ...remote }: RegisteredRemote): RegisteredRemote {
  return { ...remote, routes: routes.map(({ path, title, frame }) => ({ path, title, frame })) };
}

/** Returns the part of the remote index that a page contains; of its own remote also the files and their integrity values. */
export function inlineIndex({ remotes, ...rest }: RemoteIndex, own: string | undefined): RemoteIndex {
  const inlineOwn = (remote: RegisteredRemote): RegisteredRemote => ({
    ...inlineRemote(remote),
    routes: remote.routes.map(({ path, title, frame, files }) => ({ path, title, frame, ...(files && { files }) })),
    ...(remote.integrity && { integrity: remote.integrity }),
  });
  return {
    remotes: remotes.map((remote) => (remote.name === own ? inlineOwn(remote) : inlineRemote(remote))),
    ...rest,
  };
}
