import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import { checkFragment } from '@daybook/release';
import { type Configuration, rspack } from '@rspack/core';

/** A prerendered page: its route's path, and its file in the release. */
export interface Fragment {
  readonly path: string;
  readonly file: string;
  readonly html: string;
}

interface PrerenderBundle {
  readonly render: (path: string) => Promise<string>;
}

/** The bundle's entry: the remote's pages, with React and what renders them in one bundle, so that there is one React. */
const entryOf = (definition: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import { neutralPage } from '@daybook/platform/prerender';
    import { renderToString } from 'react-dom/server';
    import definition from ${JSON.stringify(definition)};
    export async function render(path) {
      const route = definition.routes.find((each) => each.path === path);
      return renderToString(neutralPage(await route.page()));
    }
  `)}`;

/** React puts these before what it renders; a page can't: they belong into the document's head. */
const preloads = /^(?:<link rel="preload"[^>]*>)+/;

/** What React calls an element whose id it has made up; in the frame, which the page is rendered without, it is another one. */
const generatedId = /(?:id|for|aria-\w+)="[^"]*(?:_[rR]_|«|:[rR])/;

const nameOf = (routePath: string) => routePath.slice(1).replaceAll('/', '-') || 'index';

const hashOf = (html: string) => createHash('sha256').update(html).digest('hex').slice(0, 8);

async function renderPage({ render }: PrerenderBundle, { name, path: routePath }: { name: string; path: string }) {
  const page = `The page of the route ${routePath} of ${name}`;
  let html: string;
  try {
    html = (await render(routePath)).replace(preloads, '');
  } catch (error) {
    throw new Error(
      `${page} can't be rendered without a browser: ${error}\nIt is rendered to HTML at build time; use window, document and the like in effects and handlers alone.`,
      { cause: error },
    );
  }
  if (generatedId.test(html))
    throw new Error(`${page} has an id made by useId, which is another one in the browser; write a plain id.`);
  try {
    checkFragment(html);
  } catch (error) {
    throw new Error(`${page} can't become part of a document: ${(error as Error).message}.`, { cause: error });
  }
  return html;
}

/**
 * Renders the page of each route to HTML, as it is before anything is known of a visitor.
 *
 * @param browser the build of the remote for the browser
 * @throws Error naming the route whose page can't be rendered, and what to do
 */
export async function prerenderPages(
  definition: RemoteDefinition,
  browser: Configuration,
): Promise<readonly Fragment[]> {
  const entry = entryOf(path.join(String(browser.context), 'src/remote.ts'));
  const bundle = await runInNode<PrerenderBundle>(browser, entry);
  return Promise.all(
    definition.routes.map(async ({ path: routePath }) => {
      const html = await renderPage(bundle, { name: definition.name, path: routePath });
      return { path: routePath, file: `fragments/${nameOf(routePath)}.${hashOf(html)}.html`, html };
    }),
  );
}

const bundleName = 'prerender.js';

/**
 * The same sources as a build for the browser, with the same class names and addresses of files, as one script for
 * Node. Styles and other files are only named: the build for the browser has them.
 */
function configurationOf(browser: Configuration, entry: string): Configuration {
  const { generator, ...module } = browser.module ?? {};
  return {
    ...browser,
    entry: { prerender: entry },
    target: 'node',
    devtool: false,
    output: {
      ...browser.output,
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
 * @param browser the build for the browser that the bundle goes with
 * @param entry the bundle's first module: a path, or an address with its source in it
 * @returns what the entry exports
 * @throws Error where they can't be built, or throw when they are run
 */
export async function runInNode<Exports>(browser: Configuration, entry: string): Promise<Exports> {
  const text = await build(configurationOf(browser, entry));
  const module = { exports: {} };
  const run = new Script(`(function (module, exports, require) {${text}\n})`, { filename: bundleName });
  run.runInThisContext()(module, module.exports, createRequire(import.meta.url));
  return module.exports as Exports;
}
