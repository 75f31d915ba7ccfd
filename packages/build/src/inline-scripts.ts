import type { InlineScripts } from '@daybook/contract/server';
import type { Configuration } from '@rspack/core';
import { buildInMemory, textOf } from './build-in-memory.ts';

/** The scripts in documents, each a file of the shell's `src/inline`. */
const names = ['first', 'font', 'later', 'preload'] as const;

/**
 * Builds the scripts that the shell server puts into documents.
 *
 * @param browser the build of the shell, whose rules and minifiers these scripts share
 * @returns the text of each script, by its name
 * @throws Error if a script cannot be built
 */
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
