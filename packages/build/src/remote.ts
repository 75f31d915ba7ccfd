import { integrityLookupName, rejectedIntegrity } from '@daybook/contract/page';
import { releaseFileAddress } from '@daybook/contract/release';
import { type Configuration, type RspackPluginInstance, rspack } from '@rspack/core';
import { browserBuild } from './browser-build.ts';
import { readManifest } from './manifest.ts';
import { prerenderPages } from './prerender.ts';
import { releasePlugin } from './release-plugin.ts';
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

interface RemoteBuildOptions {
  /** The remote's folder: `import.meta.dirname` of its Rspack configuration. */
  readonly folder: string;
}

/**
 * Returns the Rspack configuration of a remote: `build` becomes a release that any shell of the same contract version
 * can load.
 */
export function remote({ folder }: RemoteBuildOptions) {
  return (_environment: unknown, { mode = 'production' }: { mode?: 'production' | 'development' }): Configuration => {
    const { name, version: packageVersion } = readManifest(folder);
    const version = `${packageVersion}-${placeholder}`;
    // Whatever two releases on one page must not share includes the version: the container's name (they would run each
    // other's code), addresses and CSS classes.
    const uniqueName = `${name}@${version}`;
    const publicPath = releaseFileAddress({ name, version }, '');
    const names = { uniqueName, publicPath, classScope: `c${placeholder}`, fileHash: placeholder };
    const common = browserBuild({ folder, ...names }, mode);
    return {
      ...common,
      entry: {},
      plugins: [
        ...(common.plugins ?? []),
        // Of the bundler, without the federation runtime: the shell can run the page's own remote without it too.
        new rspack.container.ModuleFederationPluginV1({
          name: uniqueName,
          library: { type: 'global', name: uniqueName },
          filename: `remoteEntry.${placeholder}.js`,
          exposes: { './remote': './src/remote.ts' },
          shared: sharedInRemote,
        }),
        // Sent to the API with privacy requests: the release that the visitor saw.
        new rspack.DefinePlugin({ RELEASE_NAME: JSON.stringify(uniqueName) }),
        integrityRuntimePlugin,
        releasePlugin(folder, { name, version }, () => prerenderPages(name, common)),
      ],
    };
  };
}

/**
 * Sets an element's integrity to the value from the shell's lookup, or to a value that no file matches if the lookup
 * has none.
 */
const withIntegrity = (element: string, address: string) => `
${element}.integrity = globalThis.${integrityLookupName}?.(${address}) || ${JSON.stringify(rejectedIntegrity)};
${element}.crossOrigin = "anonymous";
`;

/**
 * Makes a remote load its chunks and styles with the integrity values of its release. The federation runtime's own hook
 * covers only the entry; everything after it is loaded by the bundler's runtime, which this plugin changes.
 */
const integrityRuntimePlugin: RspackPluginInstance = {
  apply(compiler) {
    const name = 'IntegrityRuntimePlugin';
    compiler.hooks.compilation.tap(name, (compilation) => {
      const hooks = rspack.RuntimePlugin.getCompilationHooks(compilation);
      hooks.createScript.tap(name, (code) => code + withIntegrity('script', 'script.src'));
      for (const hook of [hooks.createLink, hooks.linkPreload, hooks.linkPrefetch])
        hook.tap(name, (code) => code + withIntegrity('link', 'link.href'));
    });
  },
};
