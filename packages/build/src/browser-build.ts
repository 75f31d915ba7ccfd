import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { verifiedElementName } from '@daybook/contract/page';

import { buildErrorsFileName } from '@daybook/contract/server';

import { type Configuration, type RspackPluginInstance, rspack } from '@rspack/core';
import rehypeSlug from 'rehype-slug';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkMdxFrontmatter from 'remark-mdx-frontmatter';

/** Browsers of the last two years, without polyfills: the site needs `light-dark()` and `URL.parse` (2024). */
const targets = ['chrome >= 128', 'edge >= 128', 'firefox >= 130', 'safari >= 18'];

export interface BrowserBuildOptions {
  readonly folder: string;
  /** Keeps chunks and class names of separate builds on one page apart. */
  readonly uniqueName: string;
  readonly classScope: string;
  /** The part of the names of scripts and styles that changes with their content. */
  readonly fileHash: string;
  /** Not 'auto': a prerendered page names its files as the browser does. */
  readonly publicPath: string;
}

/** Returns the configuration that the builds of shell and remotes share. */
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
        // Inlined with its style: a file of its own would arrive after the first paint.
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
      // In bytes of source. Also of shared modules without files: the order of chunks with only them depends on the folder.
      splitChunks: { minSize: 30_000, defaultSizeTypes: ['javascript', 'css', 'unknown', 'consume-shared'] },
      // Not 'deterministic': these ids would depend on the folder, by absolute paths in names of modules.
      moduleIds: 'natural',
      chunkIds: 'deterministic',
    },
    stats: { preset: 'errors-warnings', timings: true },
    performance: false,
    infrastructureLogging: { level: 'error' },
  };
}

/** Writes the errors of a watching build to a file; the shell server shows them in pages. */
const buildErrorsFile: RspackPluginInstance = {
  apply(compiler) {
    compiler.hooks.done.tap('BuildErrorsFile', (stats) => {
      const file = path.join(compiler.outputPath, buildErrorsFileName);
      if (!stats.hasErrors()) rmSync(file, { force: true });
      else if (compiler.watchMode) writeFileSync(file, stats.toString({ all: false, errors: true, colors: false }));
    });
  },
};

/** Loads scripts by elements of the shell, whose URLs the page's security policy (Trusted Types) accepts. */
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
