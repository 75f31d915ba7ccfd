import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { type Configuration, rspack } from '@rspack/core';

const bundleName = 'prerender.js';

export interface NodeBundleOptions {
  /** The build in the browser that the bundle goes with. */
  readonly browser: Configuration;
  /** The bundle's first module; a path, or an address with its source in it. */
  readonly entry: string;
  /** Where the files of the browser's build are on the site. */
  readonly publicPath: string;
}

/**
 * The same sources as a build for the browser, with the same class names and addresses of files, as one script for
 * Node. Styles and other files are only named: the build for the browser has them.
 */
function configurationOf({ browser, entry, publicPath }: NodeBundleOptions): Configuration {
  const { generator, ...module } = browser.module ?? {};
  return {
    ...browser,
    entry: { prerender: entry },
    target: 'node',
    devtool: false,
    output: {
      ...browser.output,
      publicPath,
      clean: false,
      filename: bundleName,
      asyncChunks: false,
      library: { type: 'commonjs2' },
    },
    module: {
      ...module,
      generator: {
        ...generator,
        'css/auto': { ...generator?.['css/auto'], exportsOnly: true },
        'asset/resource': { emit: false },
      },
    },
    optimization: { minimize: false, splitChunks: false },
    plugins: [new rspack.DefinePlugin({ RELEASE_NAME: JSON.stringify(browser.output?.uniqueName) })],
  };
}

/** Builds in memory; gives the script's text. */
function build(configuration: Configuration): Promise<string> {
  const compiler = rspack(configuration);
  let text = '';
  compiler.hooks.shouldEmit.tap('NodeBundle', (compilation) => {
    text = String(compilation.getAsset(bundleName)?.source.source() ?? '');
    return false;
  });
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      compiler.close(() => {
        if (error || !stats) reject(error);
        else if (stats.hasErrors()) reject(new Error(stats.toString({ all: false, errors: true })));
        else resolve(text);
      });
    });
  });
}

/**
 * Bundles sources for Node and runs them.
 *
 * @returns what the entry exports
 * @throws Error where they can't be built, or throw when they are run
 */
export async function runInNode<Exports>(options: NodeBundleOptions): Promise<Exports> {
  const text = await build(configurationOf(options));
  const module = { exports: {} };
  const run = new Script(`(function (module, exports, require) {${text}\n})`, { filename: bundleName });
  run.runInThisContext()(module, module.exports, createRequire(import.meta.url));
  return module.exports as Exports;
}
