import path from 'node:path';
import type { InlineScripts } from '@daybook/contract/server';
import { type Configuration, rspack } from '@rspack/core';

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
  const compiler = rspack({
    ...browser,
    entry: Object.fromEntries(names.map((name) => [name, `./src/inline/${name}.ts`])),
    devtool: false,
    output: { ...browser.output, clean: false, filename: '[name].js' },
    // As small in development: a page's security policy names the hash of each.
    optimization: { ...browser.optimization, minimize: true, splitChunks: false },
    plugins: [],
  });
  const texts: Partial<Record<string, string>> = {};
  compiler.hooks.shouldEmit.tap('InlineScripts', (compilation) => {
    for (const { name, source } of compilation.getAssets())
      texts[path.basename(name, '.js')] = String(source.source()).trim();
    return false;
  });
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      compiler.close(() => {
        if (error || !stats) reject(error);
        else if (stats.hasErrors()) reject(new Error(stats.toString({ all: false, errors: true })));
        else resolve(Object.fromEntries(names.map((name) => [name, texts[name] ?? ''])) as InlineScripts);
      });
    });
  });
}
