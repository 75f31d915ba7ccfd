import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { type Configuration, rspack } from '@rspack/core';
import { buildInMemory, textOf } from './build-in-memory.ts';
import { parseSourceMap, sourcePosition } from './source-position.ts';

const bundleName = 'bundle.js';

/**
 * Returns a build of the same sources as one script for Node, with the class names and file URLs of the build for
 * the browser. Styles and other assets are referenced, not emitted: the build for the browser contains them.
 */
function configurationOf(browser: Configuration, entry: string): Configuration {
  const { generator, ...module } = browser.module ?? {};
  return {
    ...browser,
    entry,
    target: 'node',
    devtool: 'hidden-source-map',
    output: {
      ...browser.output,
      // Writes import specifiers as comments.
      pathinfo: true,
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
    // `production`: libraries report several copies of themselves, and a watching build runs one after the other.
    optimization: { minimize: false, splitChunks: false, nodeEnv: 'production' },
    plugins: [new rspack.DefinePlugin({ RELEASE_NAME: JSON.stringify(browser.output?.uniqueName) })],
  };
}

/** Sources that were bundled for Node and run. */
export interface NodeBundle<Exports> {
  readonly exports: Exports;
  /** Returns the place in the sources where the bundle threw an error. */
  readonly positionOf: (error: unknown, workspace: string) => string | undefined;
}

/**
 * Bundles sources for Node and runs them.
 *
 * @param browser the build for the browser that the bundle matches
 * @param entry the bundle's first module: a path, or a data URL with the source
 * @throws Error if the build fails, or if the script throws
 */
export async function runInNode<Exports>(browser: Configuration, entry: string): Promise<NodeBundle<Exports>> {
  const { text, map } = await buildInMemory(configurationOf(browser, entry), (compilation) => ({
    text: textOf(compilation, bundleName),
    map: textOf(compilation, `${bundleName}.map`),
  }));
  const module = { exports: {} };
  const run = new Script(`(function (module, exports, require) {${text}\n})`, { filename: bundleName });
  run.runInThisContext()(module, module.exports, createRequire(import.meta.url));
  return {
    exports: module.exports as Exports,
    positionOf: (error, workspace) => sourcePosition(String(Object(error).stack), () => parseSourceMap(map), workspace),
  };
}
