import {
  isScriptOrStyle,
  type RegisteredRelease,
  type RegisteredRemote,
  type Release,
  type RemoteIndex,
  releaseFileUrl,
} from '@daybook/contract/release';

function registerRelease({ name, version, entry, files }: Release): RegisteredRelease {
  const scripts = Object.entries(files).filter(([file]) => isScriptOrStyle(file));
  return {
    version,
    entry: releaseFileUrl({ name, version }, entry),
    integrity: Object.fromEntries(scripts.map(([file, { integrity }]) => [file, integrity])),
  };
}

/** In bytes, of a page whose link the visitor only points at. */
const maxPrefetch = 500_000;

function downloadable(page: readonly string[], { files }: Release): readonly string[] {
  let size = 0;
  return page.filter((file) => {
    size += files[file]?.size ?? 0;
    return isScriptOrStyle(file) && size <= maxPrefetch;
  });
}

export function register(active: Release, previous?: Release): RegisteredRemote {
  const routes = active.routes.map(({ files, fragment: _, hydrate: __, hash: ___, ...route }) => ({
    ...route,
    files: downloadable(files, active),
  }));
  return {
    name: active.name,
    ...registerRelease(active),
    routes,
    ...(active.redirects && { redirects: active.redirects }),
    ...(previous && { previous: registerRelease(previous) }),
  };
}

/** If two remotes have one path, as with a preview, the first one keeps it; redirects without a page are left out. */
export function indexOf(remotes: readonly RegisteredRemote[], missing: readonly string[]): RemoteIndex {
  const pages = new Set<string>();
  const owned = remotes.map((remote) => ({
    ...remote,
    routes: remote.routes.filter(({ path }) => !pages.has(path) && pages.add(path)),
  }));
  const settled = owned.map(({ redirects = {}, ...remote }) => {
    const live = Object.entries(redirects).filter(([from, to]) => pages.has(to) && !pages.has(from));
    return { ...remote, ...(live.length > 0 && { redirects: Object.fromEntries(live) }) };
  });
  return { remotes: settled, missing };
}

/** Returns the index as a page has it: files and integrity values of its own remote only. */
export function inlineIndex({ remotes, ...rest }: RemoteIndex, own: string | undefined): RemoteIndex {
  const inline = ({ integrity, previous: _, routes, ...remote }: RegisteredRemote): RegisteredRemote => {
    const isOwn = remote.name === own;
    const inlined = routes.map(({ path, title, frame, files }) => ({
      ...{ path, title, frame },
      ...(isOwn && files && { files }),
    }));
    return { ...remote, routes: inlined, ...(isOwn && integrity && { integrity }) };
  };
  return { remotes: remotes.map(inline), ...rest };
}
