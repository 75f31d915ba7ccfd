import { createRequire } from 'node:module';
import path from 'node:path';
import { verifiedElementName } from '@daybook/contract/page';
import { releaseFileUrl } from '@daybook/contract/release';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { type Configuration, type RspackPluginInstance, rspack } from '@rspack/core';
import { browserBuild } from './browser-build.ts';
import { readPackageJson } from './package-json.ts';
import { exposedPages, missingPagesPlugin, releasePlugin } from './release-plugin.ts';
import { placeholder } from './version.ts';

/**
 * The modules that a remote takes from the shell instead of bundling a copy; the shell provides them in
 * `src/remotes/shared-modules.ts`. Any version matches: a page has only one copy, and the contract's version states
 * which one.
 */
const sharedInRemote = Object.fromEntries(
  ['react', 'react/jsx-runtime', 'react-dom', '@daybook/platform', '@daybook/platform/queries'].map((name) => [
    name,
    { singleton: true, import: false as const, requiredVersion: false as const },
  ]),
);

/** The module that the federation plugin puts into each entry. */
const bundlerRuntime = createRequire(import.meta.resolve('@module-federation/enhanced')).resolve(
  '@module-federation/webpack-bundler-runtime',
);

/**
 * Returns the Rspack configuration of a remote: `build` becomes a release that any shell of the same contract version
 * can load.
 *
 * @param folder the remote's folder: `import.meta.dirname` of its Rspack configuration
 * @param load imports its `src/remote.ts`; what fails there is an error of the build, which open pages show in development
 */
export function remote(folder: string, load: () => Promise<{ readonly default: RemoteDefinition }>) {
  return async (
    _environment: unknown,
    { mode = 'production' }: { mode?: 'production' | 'development' },
  ): Promise<Configuration> => {
    const { name, version: packageVersion } = readPackageJson(folder);
    const version = `${packageVersion}-${placeholder}`;
    // Whatever two releases on one page must not share includes the version: the container's name (they would run each
    // other's code), URLs and CSS classes.
    const uniqueName = `${name}@${version}`;
    const publicPath = releaseFileUrl({ name, version }, '');
    const names = { uniqueName, publicPath, classScope: `c${placeholder}`, fileHash: placeholder };
    const common = browserBuild({ folder, ...names }, mode);
    let definition: RemoteDefinition;
    try {
      ({ default: definition } = await load());
    } catch (error) {
      const plugins = [...(common.plugins ?? []), failurePlugin(new Error(`${name}/src/remote.ts: ${error}`))];
      return { ...common, entry: {}, plugins };
    }
    return {
      ...common,
      entry: {},
      resolve: { ...common.resolve, alias: { [bundlerRuntime]: path.join(import.meta.dirname, 'bundler-runtime.ts') } },
      plugins: [
        ...(common.plugins ?? []),
        new ModuleFederationPlugin({
          name: uniqueName,
          library: { type: 'global', name: uniqueName },
          filename: `remoteEntry.${placeholder}.js`,
          exposes: exposedPages(definition),
          shared: sharedInRemote,
          dts: false,
          manifest: false,
        }),
        // Sent to the API with privacy requests: the release that the visitor saw.
        new rspack.DefinePlugin({ RELEASE_NAME: JSON.stringify(uniqueName) }),
        verifiedFilesPlugin,
        missingPagesPlugin(folder, definition),
        releasePlugin(common, { name, version }, definition),
      ],
    };
  };
}

/** Fails each build. */
const failurePlugin = (failure: Error): RspackPluginInstance => ({
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('FailurePlugin', ({ errors }) => void errors.push(failure));
  },
});

/** Makes a remote's bundler runtime load chunks and styles only with the content that its release has. */
const verifiedFilesPlugin: RspackPluginInstance = {
  apply(compiler) {
    const name = 'VerifiedFilesPlugin';
    compiler.hooks.compilation.tap(name, (compilation) => {
      const { createLink, linkPreload, linkPrefetch } = rspack.RuntimePlugin.getCompilationHooks(compilation);
      for (const hook of [createLink, linkPreload, linkPrefetch])
        hook.tap(name, (code) => `${code}\nglobalThis.${verifiedElementName}(link, link.href);`);
    });
  },
};
