import { createInstance } from '@module-federation/enhanced/runtime';
import { sharedModules, sharedVersion } from './shared-modules.ts';

/** Any version matches: a page has only one copy of each module. */
const shareConfig = { singleton: true, requiredVersion: false } as const;

const host = createInstance({
  name: 'shell',
  remotes: [],
  // With the default, one dead remote keeps all others from loading.
  shareStrategy: 'loaded-first',
  shared: Object.fromEntries(sharedModules.map(([name, get]) => [name, { version: sharedVersion, get, shareConfig }])),
});

let attempts = 0;

/**
 * Loads the default export of a remote's definition module from its container.
 *
 * @param globalName the property of `globalThis` that the entry has set
 */
export async function loadFederated(globalName: string, entry: string): Promise<unknown> {
  attempts += 1;
  // The runtime caches a remote by its name, failures included, and warns about a name that is reused: so each attempt
  // is a new remote to the runtime.
  const attempt = `${globalName}#${attempts}`;
  host.registerRemotes([{ name: attempt, entryGlobalName: globalName, entry, type: 'global' }]);
  // After a failed load, the runtime can return an empty module instead of failing.
  return (await host.loadRemote<{ default?: unknown }>(`${attempt}/remote`))?.default;
}
