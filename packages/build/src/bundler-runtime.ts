// Takes the place of @module-federation/webpack-bundler-runtime in the entries of remotes. That one brings a runtime of 19 kB
// (brotli) which chooses among versions of shared modules, loads remotes and caches both; here every shared module comes from
// the shell, in one version, and the shell loads the remotes. The plugin calls these functions, by these names.

/** A module that the shell provides, in the form of a share scope: a function that resolves with a function that returns it. */
interface SharedModule {
  readonly get: () => Promise<() => unknown>;
}

type ShareScope = Readonly<Record<string, Readonly<Record<string, SharedModule>>>>;

/** The part of the bundler's own runtime that is used here. */
interface BundlerRequire {
  /** Module factories by id. */
  readonly m: Record<string, (module: { exports: unknown }) => void>;
  /** The modules that have run. */
  readonly c: Record<string, unknown>;
  /** Share scopes by name. */
  readonly S: Record<string, ShareScope>;
}

interface InitOptions {
  readonly shareScope: ShareScope;
  readonly shareScopeKey: string;
  readonly webpackRequire: BundlerRequire;
}

interface ConsumesOptions {
  readonly chunkId: string;
  /** What the chunk waits for. */
  readonly promises: Promise<void>[];
  /** Ids of the shared modules that a chunk uses. */
  readonly chunkMapping: Readonly<Record<string, readonly string[]>>;
  readonly moduleToHandlerMapping: Readonly<
    Record<string, { readonly shareKey: string; readonly shareInfo: { readonly scope: readonly string[] } }>
  >;
  readonly installedModules: Record<string, Promise<void> | undefined>;
  readonly webpackRequire: BundlerRequire;
}

/** Called by the container's `init`. */
function initContainerEntry({ shareScope, shareScopeKey, webpackRequire }: InitOptions): void {
  webpackRequire.S[shareScopeKey] = shareScope;
}

/** Called for each chunk that is loaded: installs the shared modules that it uses, each once; a failed one, again. */
function consumes(options: ConsumesOptions): void {
  const { chunkId, promises, chunkMapping, moduleToHandlerMapping, installedModules, webpackRequire } = options;
  const install = async (id: string) => {
    const { shareKey = '', shareInfo } = moduleToHandlerMapping[id] ?? {};
    const [shared] = Object.values(webpackRequire.S[shareInfo?.scope[0] ?? '']?.[shareKey] ?? {});
    if (!shared) throw new Error(`The shell provides no module ${shareKey}.`);
    const factory = await shared.get();
    webpackRequire.m[id] = (module) => {
      delete webpackRequire.c[id];
      module.exports = factory();
    };
  };
  for (const id of chunkMapping[chunkId] ?? []) {
    const installing = installedModules[id] ?? install(id);
    installedModules[id] = installing;
    installing.catch(() => delete installedModules[id]);
    promises.push(installing);
  }
}

const nothing = () => undefined;

export default {
  bundlerRuntime: { S: {}, init: nothing, installInitialConsumes: nothing, initContainerEntry, consumes },
};
