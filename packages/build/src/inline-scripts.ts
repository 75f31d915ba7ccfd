import type { InlineScripts } from '@daybook/contract/server';
import type { Configuration } from '@rspack/core';
import { buildInMemory, textOf } from './build-in-memory.ts';

const names = ['first', 'font', 'later', 'preload'] as const;

/** Builds the scripts of the shell's `src/inline`, which documents contain; returns their texts. */
export function buildInlineScripts(browser: Configuration): Promise<InlineScripts> {
  const configuration: Configuration = {
    ...browser,
    entry: Object.fromEntries(names.map((name) => [name, `./src/inline/${name}.ts`])),
    devtool: false,
    output: { ...browser.output, clean: false, filename: '[name].js' },
    // As small in development, where the server sends the same documents.
    optimization: { ...browser.optimization, minimize: true, splitChunks: false },
    plugins: [],
  };
  return buildInMemory(
    configuration,
    (compilation) =>
      Object.fromEntries(names.map((name) => [name, textOf(compilation, `${name}.js`).trim()])) as InlineScripts,
  );
}
