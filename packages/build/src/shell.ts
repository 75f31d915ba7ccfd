import path from 'node:path';
import { type ShellManifest, shellManifestFileName } from '@daybook/contract';
import { integrityOf } from '@daybook/release';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { type Configuration, rspack } from '@rspack/core';
import { browserBuild } from './browser-build.ts';
import { completeBuild, precompressEmitted } from './complete-build.ts';
import { federationAliases, sharedByShell } from './federation.ts';
import { runInNode } from './prerender.ts';
import { readManifest, sourceHash } from './source-hash.ts';

export interface ShellBuildOptions {
  /** The shell's folder: `import.meta.dirname` of its Rspack configuration. */
  readonly folder: string;
  /** Its first module, relative to the folder. */
  readonly entry: string;
  /** The module that renders in Node what the shell draws itself: it exports `prerenderShell(): PrerenderedShell`. */
  readonly prerenderEntry: string;
}

/** Where the shell's files are on the site. */
const publicPath = '/assets/';

/** The Rspack configuration of the shell's browser part: the federation host, with the modules that remotes share. */
export function shell({ folder, entry, prerenderEntry }: ShellBuildOptions) {
  return (_environment: unknown, { mode = 'production' }: { mode?: 'production' | 'development' }): Configuration => {
    const version = `${readManifest(folder).version}-${sourceHash(path.dirname(folder), folder)}`;
    const common = browserBuild({ folder, uniqueName: 'shell' }, mode);
    const prerender = async () => {
      const bundle = { browser: common, entry: prerenderEntry, publicPath };
      return (await runInNode<{ prerenderShell: () => PrerenderedShell }>(bundle)).prerenderShell();
    };
    return {
      ...common,
      entry: { shell: [path.join(import.meta.dirname, 'provide-runtime-core.ts'), entry] },
      output: { ...common.output, publicPath },
      resolve: { ...common.resolve, alias: federationAliases },
      // In development too: the integrity values below are of files whose names tell their content.
      optimization: { ...common.optimization, realContentHash: true },
      plugins: [
        new ModuleFederationPlugin({
          name: 'shell',
          shareStrategy: 'loaded-first',
          shared: sharedByShell,
          experiments: { optimization: { target: 'web', disableSnapshot: true } },
          manifest: false,
          dts: false,
        }),
        // Its lazy chunks and styles; those that every page starts with get their integrity from the shell server.
        new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'], htmlPlugin: false, enabled: true }),
        shellManifestPlugin(version, prerender),
      ],
    };
  };
}

/** What the shell draws itself, as HTML. */
type PrerenderedShell = Pick<ShellManifest, 'frames' | 'notFoundPage' | 'missingRemotesPage'>;

/**
 * Writes what the shell server must know of the shell's own build: the files that every page starts with, and what is
 * drawn around pages.
 */
function shellManifestPlugin(version: string, prerender: () => Promise<PrerenderedShell>) {
  return completeBuild('ShellManifestPlugin', async (compilation) => {
    const prerendered = await prerender();
    const files = await precompressEmitted(compilation);
    const initial = compilation.entrypoints.get('shell')?.getFiles() ?? [];
    const withIntegrity = (extension: string) =>
      initial
        .filter((file) => file.endsWith(extension))
        .map((file) => ({ file, integrity: integrityOf(files.get(file) ?? Buffer.alloc(0)) }));
    const manifest: ShellManifest = {
      version,
      scripts: withIntegrity('.js'),
      styles: withIntegrity('.css'),
      ...prerendered,
    };
    compilation.emitAsset(shellManifestFileName, new rspack.sources.RawSource(JSON.stringify(manifest)));
  });
}
