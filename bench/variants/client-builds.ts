import path from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { browserBuild } from '@daybook/build/browser-build';
import { findFreePort } from '@daybook/runner/ports';
import { builtRelease } from '@daybook/runner/releases';
import { remotes, root } from '@daybook/runner/workspaces';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { type Configuration, type RuleSetRule, rspack } from '@rspack/core';
import { serveFolder, writeFile } from './static-site.ts';

const clientSite = path.join(import.meta.dirname, 'client-site.tsx');
const sourceOf = (remote: string) => path.join(root, remote, 'src/remote.ts');
const mode = 'production';
const text = (value: unknown) => JSON.stringify(value);
const importStart = `import { startClientSite } from ${text(clientSite)};`;

/** Builds; returns the files that a page loads initially. */
async function build(configuration: Configuration): Promise<readonly string[]> {
  const compiler = rspack(configuration);
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  if (!stats || stats.hasErrors()) throw new Error(`A baseline could not be built.\n${stats?.toString('errors-only')}`);
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

/** Returns the configuration that the baselines share with the site. */
async function commonBuild(uniqueName: string, to: string, of: readonly string[]): Promise<Configuration> {
  const common = browserBuild(
    { folder: root, uniqueName, classScope: 'c', fileHash: '[contenthash:8]', publicPath: '/' },
    mode,
  );
  const rules = common.module?.rules ?? [];
  const added = await Promise.all(of.map((remote) => ownRules(remote, rules)));
  return {
    ...common,
    output: { ...common.output, path: to },
    module: { ...common.module, rules: [...rules, ...added.flat()] },
    // A release's build defines its version.
    plugins: [new rspack.DefinePlugin({ RELEASE_NAME: text(uniqueName) })],
  };
}

/** Writes a source file next to the output folder of its build. */
function writeSource(folder: string, name: string, lines: readonly string[]): string {
  const file = path.join(`${folder}-source`, name);
  writeFile(file, lines.join('\n'));
  return file;
}

/** The site's sources as one application that renders in the browser: one script, one style sheet, no federation. */
export async function buildSingleBundle(folder: string): Promise<readonly string[]> {
  const entry = writeSource(folder, 'entry.js', [
    importStart,
    ...remotes.map((remote, index) => `import remote${index} from ${text(sourceOf(remote))};`),
    `startClientSite([${remotes.map((_, index) => `remote${index}`).join(', ')}]);`,
  ]);
  const common = await commonBuild('single-bundle', folder, remotes);
  const javascript = { dynamicImportMode: 'eager' } as const;
  const module = { ...common.module, parser: { ...common.module?.parser, javascript } };
  return build({ ...common, entry: { main: entry }, module });
}

const globalName = (remote: string) => remote.replaceAll('-', '_');

/** As in Module Federation's documentation: modules shared by name, defaults otherwise. */
const stockFederation = {
  shared: { react: { singleton: true }, 'react-dom': { singleton: true }, '@daybook/platform': { singleton: true } },
  dts: false,
};

/** Returns the source of the host: static routes whose pages come from the remotes. */
const stockHostLines = (): readonly string[] => [
  importStart,
  `const remotes = { ${remotes.map((name) => `${text(name)}: () => import(${text(`${globalName(name)}/remote`)})`).join(', ')} };`,
  'const pageOf = async (name, path) => (await remotes[name]()).default.routes.find((route) => route.path === path).page();',
  'const withPages = ({ name, routes }) =>',
  '  ({ name, routes: routes.map((route) => ({ ...route, page: () => pageOf(name, route.path) })) });',
  `startClientSite(${text(remotes.map(builtRelease).map(({ name, routes }) => ({ name, routes })))}.map(withPages));`,
];

/**
 * Builds host and remotes as in Module Federation's documentation: manifests, static remotes, default sharing, a
 * fallback copy of the shared modules in each part.
 */
export async function buildStockFederation(folder: string, address: string): Promise<readonly string[]> {
  const entry = writeSource(folder, 'entry.js', ["import('./bootstrap.js');"]);
  writeSource(folder, 'bootstrap.js', stockHostLines());
  const host = await commonBuild('stock-host', folder, []);
  const addresses = remotes.map((remote) => [
    globalName(remote),
    `${globalName(remote)}@${address}/${remote}/mf-manifest.json`,
  ]);
  const hostPlugin = { ...stockFederation, name: 'stock_host', remotes: Object.fromEntries(addresses) };
  const plugins = [...(host.plugins ?? []), new ModuleFederationPlugin(hostPlugin)];
  const files = await build({ ...host, entry: { main: entry }, plugins });
  for (const remote of remotes) {
    const common = await commonBuild(remote, path.join(folder, remote), [remote]);
    const exposed = { name: globalName(remote), filename: 'remoteEntry.js', exposes: { './remote': sourceOf(remote) } };
    const plugin = new ModuleFederationPlugin({ ...stockFederation, ...exposed });
    const output = { ...common.output, publicPath: 'auto' };
    await build({ ...common, entry: {}, output, plugins: [...(common.plugins ?? []), plugin] });
  }
  return files;
}

/** Returns the HTML page of a client-rendered application, the same for every path. */
function clientPage(files: readonly string[]): string {
  const tags = files.map((file) =>
    file.endsWith('.css') ? `<link rel="stylesheet" href="/${file}">` : `<script defer src="/${file}"></script>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Daybook</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    ${tags.join('')}</head><body><div id="daybook-page"></div></body></html>`;
}

/**
 * Builds a baseline and serves it.
 *
 * @param folder output folder of the build
 * @returns the address
 */
export async function serveClientBuild(
  started: AsyncDisposableStack,
  folder: string,
  buildTo: (folder: string, address: string) => Promise<readonly string[]>,
): Promise<string> {
  const port = await findFreePort();
  const files = await buildTo(folder, `http://localhost:${port}`);
  writeFile(path.join(folder, 'index.html'), clientPage(files));
  return serveFolder(started, folder, port);
}
