import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { browserBuild } from '@daybook/build/browser-build';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import { remotes, root } from '@daybook/testing/workspaces';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { type Configuration, type RuleSetRule, rspack, type Stats } from '@rspack/core';
import { compressFolder } from './serve-folder.ts';

const clientSite = path.join(import.meta.dirname, 'browser/client-site.tsx');
const sourceOf = (remote: string) => path.join(root, remote, 'src/remote.ts');
const mode = 'production';

/** A built application: the files that its pages start with. */
export interface ClientBuild {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

async function build(configuration: Configuration): Promise<ClientBuild> {
  const compiler = rspack(configuration);
  const stats = await new Promise<Stats | undefined>((resolve, reject) =>
    compiler.run((error, result) => (error ? reject(error) : resolve(result))),
  );
  await new Promise((resolve) => compiler.close(resolve));
  if (!stats || stats.hasErrors()) throw new Error(`A baseline could not be built.\n${stats?.toString('errors-only')}`);
  const files = [...(stats.compilation.entrypoints.get('main')?.getFiles() ?? [])];
  return {
    scripts: files.filter((file) => file.endsWith('.js')),
    styles: files.filter((file) => file.endsWith('.css')),
  };
}

/** Module rules that a remote's own configuration has beyond those that all have. */
async function ownRules(remote: string, common: readonly unknown[]): Promise<readonly RuleSetRule[]> {
  const { default: configure } = (await import(path.join(root, remote, 'rspack.config.ts'))) as {
    readonly default: (environment: unknown, options: { readonly mode: typeof mode }) => Configuration;
  };
  const rules = (configure(undefined, { mode }).module?.rules ?? []) as readonly RuleSetRule[];
  return rules.filter((rule) => !common.some((each) => isDeepStrictEqual(each, rule)));
}

/** What all builds of baselines have in common with those of the site. */
async function commonBuild(uniqueName: string, to: string, of: readonly string[]): Promise<Configuration> {
  const common = browserBuild({ folder: root, uniqueName }, mode);
  const rules = common.module?.rules ?? [];
  const added = await Promise.all(of.map((remote) => ownRules(remote, rules)));
  return {
    ...common,
    output: { ...common.output, path: to },
    module: { ...common.module, rules: [...rules, ...added.flat()] },
    // What a release's build puts in there is its version.
    plugins: [new rspack.DefinePlugin({ RELEASE_NAME: JSON.stringify(uniqueName) })],
  };
}

/** Writes a first module, and gives its place. */
function writeEntry(folder: string, name: string, lines: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const text = (value: unknown) => JSON.stringify(value);
const importStart = `import { startClientSite } from ${text(clientSite)};`;

/**
 * Builds the site's sources as one application that renders in the browser: one script, one style sheet, no federation.
 *
 * @param folder gets the build, and `entry.js` beside it
 */
export async function buildSingleBundle(folder: string): Promise<ClientBuild> {
  const entry = writeEntry(`${folder}-source`, 'entry.js', [
    importStart,
    ...remotes.map((remote, index) => `import remote${index} from ${text(sourceOf(remote))};`),
    `startClientSite([${remotes.map((_, index) => `remote${index}`).join(', ')}]);`,
  ]);
  const common = await commonBuild('single-bundle', folder, remotes);
  const built = await build({
    ...common,
    entry: { main: entry },
    output: { ...common.output, publicPath: '/' },
    module: { ...common.module, parser: { ...common.module?.parser, javascript: { dynamicImportMode: 'eager' } } },
  });
  await compressFolder(folder);
  return built;
}

const globalName = (remote: string) => remote.replaceAll('-', '_');

/** As in the documentation of Module Federation: shared by name, the rest by default. */
const stockShared = {
  react: { singleton: true },
  'react-dom': { singleton: true },
  '@daybook/platform': { singleton: true },
};

/** A table of the host's routes, whose pages come from the remotes. */
async function stockHostLines(): Promise<readonly string[]> {
  const definitions = await Promise.all(
    remotes.map(async (remote) => (await import(sourceOf(remote))) as { readonly default: RemoteDefinition }),
  );
  const tables = definitions.map(({ default: { name, routes } }) => {
    const load = `() => import(${text(`${globalName(name)}/remote`)})`;
    const rows = routes.map(
      ({ page: _, ...route }) =>
        `{ ...${text(route)}, page: async () => (await (${load})()).default.routes.find(({ path }) => path === ${text(route.path)}).page() }`,
    );
    return `{ name: ${text(name)}, routes: [${rows.join(', ')}] }`;
  });
  return [importStart, `startClientSite([${tables.join(', ')}]);`];
}

/**
 * Builds host and remotes as the documentation of Module Federation has it: manifests, static remotes, shared modules
 * by default, each part with a copy of them to fall back to.
 *
 * @param folder gets the host's build; each remote's is a folder in it
 * @param address where the folder will be served: static remotes are known by address
 */
export async function buildStockFederation(folder: string, address: string): Promise<ClientBuild> {
  const entry = writeEntry(`${folder}-source`, 'entry.js', ["import('./bootstrap.js');"]);
  writeEntry(`${folder}-source`, 'bootstrap.js', await stockHostLines());
  const common = await commonBuild('stock-host', folder, []);
  const host = await build({
    ...common,
    entry: { main: entry },
    output: { ...common.output, publicPath: '/' },
    plugins: [
      ...(common.plugins ?? []),
      new ModuleFederationPlugin({
        name: 'stock_host',
        remotes: Object.fromEntries(
          remotes.map((remote) => [globalName(remote), `${globalName(remote)}@${address}/${remote}/mf-manifest.json`]),
        ),
        shared: stockShared,
        dts: false,
      }),
    ],
  });
  for (const remote of remotes) {
    const remoteCommon = await commonBuild(remote, path.join(folder, remote), [remote]);
    await build({
      ...remoteCommon,
      entry: {},
      output: { ...remoteCommon.output, publicPath: 'auto' },
      plugins: [
        ...(remoteCommon.plugins ?? []),
        new ModuleFederationPlugin({
          name: globalName(remote),
          filename: 'remoteEntry.js',
          exposes: { './remote': sourceOf(remote) },
          shared: stockShared,
          dts: false,
        }),
      ],
    });
  }
  await compressFolder(folder);
  return host;
}
