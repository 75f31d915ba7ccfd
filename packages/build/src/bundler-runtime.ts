// Takes the place of @module-federation/webpack-bundler-runtime (19 kB) in entries of remotes; the plugin calls these names.

interface SharedModule {
  readonly get: () => Promise<() => unknown>;
}

type ShareScope = Readonly<Record<string, Readonly<Record<string, SharedModule>>>>;

interface BundlerRequire {
  readonly m: Record<string, (module: { exports: unknown }) => void>;
  readonly c: Record<string, unknown>;
  readonly S: Record<string, ShareScope>;
}

interface InitOptions {
  readonly shareScope: ShareScope;
  readonly shareScopeKey: string;
  readonly webpackRequire: BundlerRequire;
}

interface ConsumesOptions {
  readonly chunkId: string;
  readonly promises: Promise<void>[];
  readonly chunkMapping: Readonly<Record<string, readonly string[]>>;
  readonly moduleToHandlerMapping: Readonly<
    Record<string, { readonly shareKey: string; readonly shareInfo: { readonly scope: readonly string[] } }>
  >;
  readonly installedModules: Record<string, Promise<void> | undefined>;
  readonly webpackRequire: BundlerRequire;
}

function initContainerEntry({ shareScope, shareScopeKey, webpackRequire }: InitOptions): void {
  webpackRequire.S[shareScopeKey] = shareScope;
}

/** Called for each chunk that is loaded: installs the shared modules that it uses, once each; a failed one again. */
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
