import type { RegisteredRelease } from '@daybook/contract/release';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import {
  loadRemote,
  type ModuleFederationRuntimePlugin,
  registerPlugins,
  registerRemotes,
} from '@module-federation/enhanced/runtime';
import { integrityOf } from './integrity.ts';

/** Timeout of a remote entry in ms, after which a fallback is tried. */
const entryTimeout = 8_000;

const checkedEntries: ModuleFederationRuntimePlugin = {
  name: 'checked-entries',
  createScript({ url, attrs }) {
    const script = document.createElement('script');
    script.src = url;
    script.crossOrigin = 'anonymous';
    for (const [name, value] of Object.entries(attrs ?? {})) script.setAttribute(name, String(value));
    script.integrity = integrityOf(url);
    return { script, timeout: entryTimeout };
  },
};

registerPlugins([checkedEntries]);

let attempts = 0;

function isRemoteDefinition(value: unknown): value is RemoteDefinition {
  return typeof value === 'object' && value !== null && 'routes' in value && Array.isArray(value.routes);
}

/**
 * Loads a remote's definition from one of its releases, whose files have been admitted.
 *
 * @throws Error if the entry cannot be loaded or violates the contract: after a failed load, the runtime can return an
 *   empty module instead of failing
 */
export async function loadDefinition(name: string, { version, entry }: RegisteredRelease): Promise<RemoteDefinition> {
  // The entry's global name contains the version, see the release's build.
  const entryGlobalName = `${name}@${version}`;
  attempts += 1;
  // The runtime caches a remote by its name, failures included, and warns about a name that is reused: so each attempt
  // is a new remote to the runtime.
  const attempt = `${entryGlobalName}#${attempts}`;
  registerRemotes([{ name: attempt, entryGlobalName, entry, type: 'global' }]);
  try {
    const module = await loadRemote<{ default?: unknown }>(`${attempt}/remote`);
    if (!isRemoteDefinition(module?.default)) throw new Error(`${entryGlobalName} exposes no remote definition.`);
    return module.default;
  } catch (error) {
    // An executed entry remembers failed modules as empty ones: the next attempt must run it again.
    Reflect.deleteProperty(globalThis, entryGlobalName);
    throw error;
  }
}
