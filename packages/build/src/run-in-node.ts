import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { type Configuration, rspack } from '@rspack/core';
import { buildInMemory, textOf } from './build-in-memory.ts';
import { parseSourceMap, sourcePosition } from './source-position.ts';

const bundleName = 'bundle.js';

/** Returns a build of the same sources for Node, with the same class names and file URLs; styles and assets are not emitted. */
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

export interface NodeBundle<Exports> {
  readonly exports: Exports;
  readonly positionOf: (error: unknown, workspace: string) => string | undefined;
}

/** Bundles sources for Node, as the browser's build does, and runs them. `entry` is a path or a data URL. */
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
