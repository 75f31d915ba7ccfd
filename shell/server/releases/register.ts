import {
  isScriptOrStyle,
  type RegisteredRelease,
  type RegisteredRemote,
  type Registry,
  type Release,
  releaseFileAddress,
} from '@daybook/contract';

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
