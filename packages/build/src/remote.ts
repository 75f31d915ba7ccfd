import { createRequire } from 'node:module';
import path from 'node:path';
import { verifiedElementName } from '@daybook/contract/page';
import { exposedName, releaseFileUrl } from '@daybook/contract/release';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { type Configuration, type RspackPluginInstance, type RuleSetRule, rspack } from '@rspack/core';
import { browserBuild } from './browser-build.ts';
import { readPackageJson } from './package-json.ts';
import { readPages } from './pages.ts';
import { fileNameOf } from './prerender.ts';
import { releasePlugin } from './release-plugin.ts';
import { placeholder } from './version.ts';

/** The modules that remotes take from the shell (`src/remotes/shared-modules.ts`), in the only version that a page has. */
const sharedInRemote = Object.fromEntries(
  ['react', 'react/jsx-runtime', 'react-dom', '@daybook/platform', '@daybook/platform/queries'].map((name) => [
    name,
    { singleton: true, import: false as const, requiredVersion: false as const },
  ]),
);

const bundlerRuntime = createRequire(import.meta.resolve('@module-federation/enhanced')).resolve(
  '@module-federation/webpack-bundler-runtime',
);

/** Returns the Rspack configuration of a remote, which builds a release; `folder` is its `import.meta.dirname`. */
export function remote(folder: string) {
  return (_environment: unknown, { mode = 'production' }: { mode?: 'production' | 'development' }): Configuration => {
    const { name, version: packageVersion, redirects } = readPackageJson(folder);
    const { pages } = readPages(folder);
    const version = `${packageVersion}-${placeholder}`;
    // Whatever two releases on one page must not share includes the version: the container's name (they would run each
    // other's code), URLs and CSS classes.
    const uniqueName = `${name}@${version}`;
    const publicPath = releaseFileUrl({ name, version }, '');
    const names = { uniqueName, publicPath, classScope: `c${placeholder}`, fileHash: placeholder };
    const common = browserBuild({ folder, ...names }, mode);
    return {
      ...common,
      entry: {},
      resolve: { ...common.resolve, alias: { [bundlerRuntime]: path.join(import.meta.dirname, 'bundler-runtime.ts') } },
      module: { ...common.module, rules: [...(common.module?.rules ?? []), pageRule(folder)] },
      plugins: [
        ...(common.plugins ?? []),
        new ModuleFederationPlugin({
          name: uniqueName,
          library: { type: 'global', name: uniqueName },
          filename: `remoteEntry.${placeholder}.js`,
          exposes: Object.fromEntries(
            pages.map(({ file, route }) => [
              exposedName(route.path),
              { import: `./${file}`, name: fileNameOf(route.path) },
            ]),
          ),
          shared: sharedInRemote,
          dts: false,
          manifest: false,
        }),
        // Sent to the API with privacy requests: the release that the visitor saw.
        new rspack.DefinePlugin({ RELEASE_NAME: JSON.stringify(uniqueName) }),
        verifiedFilesPlugin,
        pagesPlugin(folder),
        releasePlugin(common, { name, version, redirects }, pages),
      ],
    };
  };
}

const pageRule = (folder: string): RuleSetRule => ({
  test: /\.tsx$/,
  include: path.join(folder, 'src/pages'),
  loader: path.join(import.meta.dirname, 'pages.ts'),
});

/** Names files that can't be pages. Restarts a watching build for new routes, which the federation plugin reads once. */
function pagesPlugin(folder: string): RspackPluginInstance {
  const read = () => ({ ...readPages(folder), package: readPackageJson(folder) });
  const { errors } = read();
  const built = JSON.stringify(read());
  return {
    apply(compiler) {
      const name = 'PagesPlugin';
      compiler.hooks.thisCompilation.tap(name, (compilation) => {
        compilation.errors.push(...errors.map((error) => new Error(error)));
      });
      compiler.hooks.afterCompile.tap(name, ({ contextDependencies, fileDependencies }) => {
        contextDependencies.add(path.join(folder, 'src/pages'));
        fileDependencies.add(path.join(folder, 'package.json'));
      });
      compiler.hooks.watchRun.tap(name, () => {
        if (JSON.stringify(read()) !== built)
          process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)]);
      });
    },
  };
}

/** Makes the bundler's runtime load chunks and styles only as verified elements. */
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
