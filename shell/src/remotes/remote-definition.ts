import type { RegisteredRelease } from '@daybook/contract/release';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import { entryScript } from './integrity.ts';
import { withTimeout } from './load-timeout.ts';
import { sharedModules, sharedVersion } from './shared-modules.ts';

/** A remote's entry as the bundler builds it: a module federation container. */
interface Container {
  init(shareScope: object): Promise<void> | undefined;
  get(exposed: string): Promise<() => unknown>;
}

const shareScope = Object.fromEntries(
  sharedModules.map(([name, get]) => [name, { [sharedVersion]: { get, from: 'shell', loaded: 1 } }]),
);

/** Runs a remote's entry, which sets its container as a property of `globalThis`. */
async function runEntry(globalName: string, entry: string): Promise<void> {
  const script = entryScript(entry);
  const loading = new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${script.src} could not be loaded.`));
  });
  document.head.append(script);
  await withTimeout(loading).finally(() => script.remove());
  if (!Reflect.get(globalThis, globalName)) throw new Error(`${entry} has no container ${globalName}.`);
}

/** Returns the exports of a remote's definition module from its container, without the federation runtime. */
async function loadFromContainer(globalName: string): Promise<unknown> {
  const container = Reflect.get(globalThis, globalName) as Container;
  await container.init(shareScope);
  const module = (await container.get('./remote'))() as { readonly default?: unknown };
  return module.default;
}

function isRemoteDefinition(value: unknown): value is RemoteDefinition {
  return typeof value === 'object' && value !== null && 'routes' in value && Array.isArray(value.routes);
}

let isFirst = true;

/**
 * Loads a remote's definition from one of its releases, whose files have been admitted. The document's first remote
 * runs without the federation runtime, which is loaded for a second remote or for another attempt.
 *
 * @throws Error if the entry cannot be loaded or violates the contract
 */
export async function loadDefinition(name: string, release: RegisteredRelease): Promise<RemoteDefinition> {
  // The entry's global name contains the version, see the release's build.
  const globalName = `${name}@${release.version}`;
  const isDirect = isFirst;
  isFirst = false;
  const load = isDirect
    ? loadFromContainer
    : (await import(/* webpackChunkName: "federation" */ './federation-host.ts')).loadFederated;
  try {
    await runEntry(globalName, release.entry);
    const definition = await load(globalName, release.entry);
    if (!isRemoteDefinition(definition)) throw new Error(`${globalName} exposes no remote definition.`);
    return definition;
  } finally {
    // Another attempt must run the entry again: its container can be initialized only once, and remembers failed modules
    // as empty ones.
    Reflect.deleteProperty(globalThis, globalName);
  }
}
