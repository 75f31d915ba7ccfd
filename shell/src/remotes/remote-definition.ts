import type { RegisteredRelease } from '@daybook/contract/release';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import { verifiedScript } from './integrity.ts';
import { addElement } from './page-files.ts';
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
  const script = verifiedScript(entry);
  await addElement(script, entry).finally(() => script.remove());
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

const loadRuntime = () => import(/* webpackChunkName: "federation" */ './federation-host.ts');

/** Loads the federation runtime, a part of the shell, if the next remote needs it. Ignores failures: the load retries. */
export async function prepareRuntime(): Promise<void> {
  if (!isFirst) await loadRuntime().catch(() => undefined);
}

/**
 * Loads a remote's definition from one of its releases, whose files have been admitted. The document's first remote
 * runs without the federation runtime, which is loaded for a second remote or for another attempt.
 *
 * @param files resolves when the files of the page have run: before that, the container would load them again
 * @throws Error if the entry cannot be loaded or violates the contract
 */
export async function loadDefinition(
  name: string,
  release: RegisteredRelease,
  files?: Promise<unknown>,
): Promise<RemoteDefinition> {
  // The entry's global name contains the version, see the release's build.
  const globalName = `${name}@${release.version}`;
  const isDirect = isFirst;
  isFirst = false;
  const load = isDirect ? loadFromContainer : (await loadRuntime()).loadFederated;
  try {
    await runEntry(globalName, release.entry);
    await files;
    const definition = await load(globalName, release.entry);
    if (!isRemoteDefinition(definition)) throw new Error(`${globalName} exposes no remote definition.`);
    return definition;
  } finally {
    // Another attempt must run the entry again: its container can be initialized only once, and remembers failed modules
    // as empty ones.
    Reflect.deleteProperty(globalThis, globalName);
  }
}
