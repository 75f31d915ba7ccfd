import { createHash } from 'node:crypto';
import path from 'node:path';
import { type Configuration, rspack } from '@rspack/core';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import { rehypeHeadings } from './markdown-headings.ts';

/** Browsers of the last two years, so no polyfills: the site's oldest needs are `light-dark()` and `URL.parse` (2024). */
const targets = ['chrome >= 128', 'edge >= 128', 'firefox >= 130', 'safari >= 18'];

export interface BrowserBuildOptions {
  /** The workspace's folder; its build goes to `dist` in it. */
  readonly folder: string;
  /** Keeps chunks and CSS classes of separate builds on one page apart. */
  readonly uniqueName: string;
  /**
   * Where the files are on the site. Not 'auto': a prerendered page must name its files as the browser will, and its
   * styles may stand in a document.
   */
  readonly publicPath: string;
}

/** What the builds of shell and remotes have in common: TypeScript and React, CSS Modules, Markdown, hashed files. */
export function browserBuild(
  { folder, uniqueName, publicPath }: BrowserBuildOptions,
  mode: 'production' | 'development',
): Configuration {
  const production = mode === 'production';
  return {
    context: folder,
    mode,
    target: ['web', 'es2023'],
    devtool: production ? false : 'source-map',
    output: {
      path: path.join(folder, 'dist'),
      clean: true,
      uniqueName,
      publicPath,
      filename: '[name].[contenthash:8].js',
      cssFilename: '[name].[contenthash:8].css',
      assetModuleFilename: '[name].[contenthash:8][ext]',
      // A chunk that hangs is an error after this many ms, so that the shell can try again, or another release.
      chunkLoadTimeout: 8_000,
      crossOriginLoading: 'anonymous',
    },
    resolve: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'] },
    module: {
      parser: { 'css/auto': { namedExports: false } },
      generator: {
        'css/auto': {
          localIdentName: production ? `${classScope(uniqueName)}[hash:6]` : '[uniqueName]-[name]-[local]',
        },
      },
      rules: [
        { test: /\.tsx?$/, type: 'javascript/auto', use: typescriptLoader },
        { test: /\.css$/, type: 'css/auto', use: { loader: 'builtin:lightningcss-loader', options: { targets } } },
        { test: /\.(?:svg|png|jpe?g|webp|avif|woff2|pdf)$/, type: 'asset/resource' },
        {
          test: /\.md$/,
          use: [
            typescriptLoader,
            {
              loader: '@mdx-js/loader',
              options: { format: 'md', remarkPlugins: [remarkGfm], rehypePlugins: [rehypeSlug, rehypeHeadings] },
            },
          ],
        },
      ],
    },
    optimization: {
      minimize: production,
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin(),
        new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets } }),
      ],
      // In bytes of the sources: a smaller file of its own costs a page more as a request than it saves on the next one.
      splitChunks: { minSize: 30_000 },
      // Not 'deterministic': those ids are hashes of names, and the federation runtime's names hold absolute
      // paths, so that one version built in two folders had two contents.
      moduleIds: 'natural',
      chunkIds: 'deterministic',
    },
    stats: 'errors-warnings',
    performance: false,
    infrastructureLogging: { level: 'error' },
  };
}

/** Short for a unique name: class names fill the markup, so they cost the visitor bytes. */
const classScope = (uniqueName: string) => `c${createHash('sha256').update(uniqueName).digest('hex').slice(0, 5)}_`;

const typescriptLoader = {
  loader: 'builtin:swc-loader',
  options: {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
      target: 'es2023',
    },
  },
};
