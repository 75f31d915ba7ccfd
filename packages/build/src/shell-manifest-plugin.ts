import { type ShellManifest, shellManifestFileName } from '@daybook/contract';
import type { Compiler, RspackPluginInstance } from '@rspack/core';
import { precompressEmitted } from './emitted-files.ts';
import { integrityOf } from './integrity.ts';

/** What the shell draws itself, as HTML. */
export type PrerenderedShell = Pick<ShellManifest, 'frames' | 'notFoundPage' | 'missingRemotesPage'>;

export interface ShellManifestPluginOptions {
  readonly version: string;
  readonly prerender: () => Promise<PrerenderedShell>;
}

/**
 * Writes what the shell server must know of the shell's own build: the files that every page starts with, and what is
 * drawn around pages.
 */
export class ShellManifestPlugin implements RspackPluginInstance {
  readonly #options: ShellManifestPluginOptions;

  constructor(options: ShellManifestPluginOptions) {
    this.#options = options;
  }

  apply(compiler: Compiler): void {
    const { Compilation, sources } = compiler.rspack;
    compiler.hooks.compilation.tap('ShellManifestPlugin', (compilation) => {
      compilation.hooks.processAssets.tapPromise(
        { name: 'ShellManifestPlugin', stage: Compilation.PROCESS_ASSETS_STAGE_REPORT },
        async () => {
          if (compilation.errors.length > 0) return;
          const prerendered = await this.#options.prerender();
          const files = await precompressEmitted(compilation);
          const initial = compilation.entrypoints.get('shell')?.getFiles() ?? [];
          const withIntegrity = (extension: string) =>
            initial
              .filter((name) => name.endsWith(extension))
              .map((name) => ({ file: name, integrity: integrityOf(files.get(name) ?? Buffer.alloc(0)) }));
          const manifest: ShellManifest = {
            version: this.#options.version,
            scripts: withIntegrity('.js'),
            styles: withIntegrity('.css'),
            ...prerendered,
          };
          compilation.emitAsset(shellManifestFileName, new sources.RawSource(JSON.stringify(manifest)));
        },
      );
    });
  }
}
