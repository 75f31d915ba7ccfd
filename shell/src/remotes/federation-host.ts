import type { RegisteredRelease } from '@daybook/contract';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import {
  loadRemote,
  type ModuleFederationRuntimePlugin,
  registerPlugins,
  registerRemotes,
} from '@module-federation/enhanced/runtime';
import { integrityOf } from './integrity.ts';

/** A remote entry that has not arrived after this many ms counts as failed, so that something else can be tried. */
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
 * @throws Error where the entry can't be loaded, or is not what the contract says: the runtime may answer a
 * load that follows a failed one with an empty module instead of failing
 */
export async function loadDefinition(name: string, { version, entry }: RegisteredRelease): Promise<RemoteDefinition> {
  // The entry's own global name carries the version, see the release's build.
  const entryGlobalName = `${name}@${version}`;
  attempts += 1;
  // The runtime keeps what it knows of a remote by its name, a failure too, and warns of a name that comes again: so
  // each attempt is a remote of its own to it.
  const attempt = `${entryGlobalName}#${attempts}`;
  registerRemotes([{ name: attempt, entryGlobalName, entry, type: 'global' }]);
  try {
    const module = await loadRemote<{ default?: unknown }>(`${attempt}/remote`);
    if (!isRemoteDefinition(module?.default)) throw new Error(`${entryGlobalName} exposes no remote definition.`);
    return module.default;
  } catch (error) {
    // An entry that has run remembers modules that failed as empty ones: the next attempt runs it anew.
    Reflect.deleteProperty(globalThis, entryGlobalName);
    throw error;
  }
}
