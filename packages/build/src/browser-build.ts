import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { verifiedElementName } from '@daybook/contract/page';

import { buildErrorsFileName } from '@daybook/contract/server';

import { type Configuration, type RspackPluginInstance, rspack } from '@rspack/core';
import rehypeSlug from 'rehype-slug';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkMdxFrontmatter from 'remark-mdx-frontmatter';

/**
 * Supports browsers of the last two years without polyfills: the site's newest requirements are `light-dark()` and
 * `URL.parse` (2024).
 */
const targets = ['chrome >= 128', 'edge >= 128', 'firefox >= 130', 'safari >= 18'];

export interface BrowserBuildOptions {
  /** The workspace's folder; the build is written to its `build`. */
  readonly folder: string;
  /** Namespace that prevents collisions of chunks between separate builds on one page. */
  readonly uniqueName: string;
  /** First part of all CSS class names, for the same purpose. */
  readonly classScope: string;
  /** The part of the names of scripts and styles that changes with their content. */
  readonly fileHash: string;
  /**
   * Public path of the files. Not 'auto': a prerendered page must name its files as the browser does, and its styles
   * can be inlined in a document.
   */
  readonly publicPath: string;
}

/**
 * Returns the configuration shared by the builds of shell and remotes: TypeScript and React, CSS Modules, Markdown,
 * hashed files.
 */
export function browserBuild(
  { folder, uniqueName, classScope, fileHash, publicPath }: BrowserBuildOptions,
  mode: 'production' | 'development',
): Configuration {
  const production = mode === 'production';
  return {
    context: folder,
    mode,
    target: ['web', 'es2023'],
    devtool: production ? false : 'source-map',
    output: {
      path: path.join(folder, 'build'),
      clean: true,
      uniqueName,
      publicPath,
      filename: `[name].${fileHash}.js`,
      cssFilename: `[name].${fileHash}.css`,
      assetModuleFilename: '[name].[contenthash:8][ext]',
      // Timeout of a chunk in ms: ends a stalled load, and is above the slowest one of a slow link.
      chunkLoadTimeout: 60_000,
      crossOriginLoading: 'anonymous',
    },
    resolve: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'] },
    module: {
      parser: { 'css/auto': { namedExports: false } },
      generator: {
        'css/auto': {
          localIdentName: production ? `${classScope}[hash:6]` : '[uniqueName]-[name]-[local]',
        },
      },
      rules: [
        { test: /\.tsx?$/, type: 'javascript/auto', use: typescriptLoader },
        { test: /\.css$/, type: 'css/auto', use: { loader: 'builtin:lightningcss-loader', options: { targets } } },
        { test: /\.(?:svg|png|jpg|webp|avif|pdf)$/, type: 'asset/resource' },
        // A small font is in its style, which documents inline: a file of its own would arrive after the first paint.
        { test: /\.woff2$/, type: 'asset', parser: { dataUrlCondition: { maxSize: 16_000 } } },
        {
          test: /\.md$/,
          use: [
            typescriptLoader,
            {
              loader: '@mdx-js/loader',
              options: {
                format: 'md',
                // As for the JSX runtime of TypeScript.
                development: false,
                remarkPlugins: [remarkGfm, remarkFrontmatter, remarkMdxFrontmatter],
                rehypePlugins: [rehypeSlug],
              },
            },
          ],
        },
      ],
    },
    plugins: [buildErrorsFile, verifiedScriptsPlugin],
    optimization: {
      // In development too: the last good build stays complete.
      emitOnErrors: false,
      minimize: production,
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin(),
        new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets } }),
      ],
      // In bytes of source: below this, the request for a separate file costs a page more than the next page saves.
      // Of shared modules, too, which have no files: without a limit, those of several pages are chunks of their own, and
      // their order depends on the folder.
      splitChunks: { minSize: 30_000, defaultSizeTypes: ['javascript', 'css', 'unknown', 'consume-shared'] },
      // Not 'deterministic': those ids are hashes of module names, and the federation runtime's names contain absolute
      // paths, so one version built in two folders would have different contents.
      moduleIds: 'natural',
      chunkIds: 'deterministic',
    },
    stats: { preset: 'errors-warnings', timings: true },
    performance: false,
    infrastructureLogging: { level: 'error' },
  };
}

/** Writes the errors of each compilation of a watching build to a file, from which the shell server shows them in pages. */
const buildErrorsFile: RspackPluginInstance = {
  apply(compiler) {
    compiler.hooks.done.tap('BuildErrorsFile', (stats) => {
      const file = path.join(compiler.outputPath, buildErrorsFileName);
      if (!stats.hasErrors()) rmSync(file, { force: true });
      else if (compiler.watchMode) writeFileSync(file, stats.toString({ all: false, errors: true, colors: false }));
    });
  },
};

/**
 * Makes the bundler's runtime load scripts by elements of the shell, with URLs that the page's security policy trusts: text
 * as URL could only be allowed by the document's one default policy, which an extension may have created before.
 */
const verifiedScriptsPlugin: RspackPluginInstance = {
  apply(compiler) {
    const name = 'VerifiedScriptsPlugin';
    compiler.hooks.compilation.tap(name, (compilation) => {
      const { createScript } = rspack.RuntimePlugin.getCompilationHooks(compilation);
      createScript.tap(
        name,
        () => `script = globalThis.${verifiedElementName}(document.createElement('script'), url);`,
      );
    });
  },
};

const typescriptLoader = {
  loader: 'builtin:swc-loader',
  options: {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      // In development too: the shell shares this runtime, and may itself be built for production.
      transform: { react: { runtime: 'automatic', development: false } },
      target: 'es2023',
    },
  },
};
