import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { browserBuild } from '@daybook/build/browser-build';
import { readPages } from '@daybook/build/pages';
import { remotes, root } from '@daybook/testing/workspaces';
import { type Configuration, type RuleSetRule, rspack, type Stats } from '@rspack/core';
import { serveFolder, writeFile } from './static-site.ts';

const clientSite = path.join(import.meta.dirname, 'client-site.tsx');
const mode = 'production';
const text = (value: unknown) => JSON.stringify(value);

/** Builds; returns the files that a page loads initially. */
async function build(configuration: Configuration): Promise<readonly string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Stats>();
  rspack(configuration, (error, stats) => (stats ? resolve(stats) : reject(error)));
  const stats = await promise;
  if (stats.hasErrors()) throw new Error(`The single bundle could not be built.\n${stats.toString('errors-only')}`);
  return [...(stats.compilation.entrypoints.get('main')?.getFiles() ?? [])];
}

/** Returns the module rules that a remote's configuration adds to the common ones. */
async function ownRules(remote: string, common: readonly unknown[]): Promise<readonly RuleSetRule[]> {
  const { default: configure } = (await import(path.join(root, remote, 'rspack.config.ts'))) as {
    readonly default: (environment: unknown, options: { readonly mode: typeof mode }) => Configuration;
  };
  const rules = (configure(undefined, { mode }).module?.rules ?? []) as readonly RuleSetRule[];
  return rules.filter((rule) => !common.some((each) => isDeepStrictEqual(each, rule)));
}

/** Returns the expression of a remote with its routes, and with functions that import its pages. */
function remoteText(remote: string): string {
  const folder = path.join(root, remote);
  const { pages } = readPages(folder);
  const imports = pages.map(({ file, route }) => `${text(route.path)}: () => import(${text(path.join(folder, file))})`);
  const routes = pages.map(({ route }) => route);
  return `{ name: ${text(remote)}, routes: ${text(routes)}, pages: { ${imports.join(', ')} } }`;
}

/** The site's sources as one application that renders in the browser: one script, one style sheet, no federation. */
async function buildSingleBundle(folder: string): Promise<readonly string[]> {
  const entry = path.join(`${folder}-source`, 'entry.js');
  const start = `startClientSite([${remotes.map(remoteText).join(', ')}]);`;
  writeFile(entry, `import { startClientSite } from ${text(clientSite)};\n${start}`);
  const uniqueName = 'single-bundle';
  const common = browserBuild(
    { folder: root, uniqueName, classScope: 'c', fileHash: '[contenthash:8]', publicPath: '/' },
    mode,
  );
  const rules = common.module?.rules ?? [];
  const added = await Promise.all(remotes.map((remote) => ownRules(remote, rules)));
  return build({
    ...common,
    entry: { main: entry },
    output: { ...common.output, path: folder },
    module: {
      ...common.module,
      rules: [...rules, ...added.flat()],
      parser: { ...common.module?.parser, javascript: { dynamicImportMode: 'eager' } },
    },
    // A release's build defines its version.
    plugins: [new rspack.DefinePlugin({ RELEASE_NAME: text(uniqueName) })],
  });
}

function clientPage(files: readonly string[]): string {
  const tags = files.map((file) =>
    file.endsWith('.css') ? `<link rel="stylesheet" href="/${file}">` : `<script defer src="/${file}"></script>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Daybook</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    ${tags.join('')}</head><body><div id="daybook-page"></div></body></html>`;
}

/** Builds the single bundle into a folder and serves it; returns its URL. */
export async function serveSingleBundle(started: AsyncDisposableStack, folder: string): Promise<string> {
  writeFile(path.join(folder, 'index.html'), clientPage(await buildSingleBundle(folder)));
  return serveFolder(started, folder);
}
