import type { RegisteredRemote } from '@daybook/contract';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import {
  loadRemote,
  type ModuleFederationRuntimePlugin,
  registerPlugins,
  registerRemotes,
} from '@module-federation/enhanced/runtime';

/** A remote entry that has not arrived after this many ms counts as failed, so that the page can offer a retry. */
const entryTimeout = 15_000;

const timeouts: ModuleFederationRuntimePlugin = {
  name: 'timeouts',
  createScript({ url, attrs }) {
    const script = document.createElement('script');
    script.src = url;
    script.crossOrigin = 'anonymous';
    for (const [name, value] of Object.entries(attrs ?? {})) script.setAttribute(name, String(value));
    return { script, timeout: entryTimeout };
  },
};

registerPlugins([timeouts]);

function register(remote: RegisteredRemote): void {
  registerRemotes(
    [
      {
        name: remote.name,
        // The entry's own global name carries the version, see the release's build.
        entryGlobalName: `${remote.name}@${remote.version}`,
        entry: remote.entry,
        type: 'global',
      },
    ],
    // Without it the runtime answers again with what it kept of a failed load.
    { force: true },
  );
}

function isRemoteDefinition(value: unknown): value is RemoteDefinition {
  return typeof value === 'object' && value !== null && 'routes' in value && Array.isArray(value.routes);
}

/**
 * Loads a remote's definition from its active release.
 *
 * @throws Error where the entry can't be loaded, or is not what the contract says: the runtime may answer a
 * load that follows a failed one with an empty module instead of failing
 */
export async function loadDefinition(remote: RegisteredRemote): Promise<RemoteDefinition> {
  register(remote);
  const module = await loadRemote<{ default?: unknown }>(`${remote.name}/remote`);
  if (!isRemoteDefinition(module?.default))
    throw new Error(`${remote.name}@${remote.version} exposes no remote definition.`);
  return module.default;
}
