import { type ShellManifest, shellManifestFileName } from '@daybook/contract';
import type { Compiler, RspackPluginInstance } from '@rspack/core';
import { precompressEmitted } from './emitted-files.ts';
import { integrityOf } from './integrity.ts';

/** Writes what the shell server must know of the shell's own build: the files that every page starts with. */
export class ShellManifestPlugin implements RspackPluginInstance {
  readonly #version: string;

  constructor({ version }: { readonly version: string }) {
    this.#version = version;
  }

  apply(compiler: Compiler): void {
    const { Compilation, sources } = compiler.rspack;
    compiler.hooks.compilation.tap('ShellManifestPlugin', (compilation) => {
      compilation.hooks.processAssets.tapPromise(
        { name: 'ShellManifestPlugin', stage: Compilation.PROCESS_ASSETS_STAGE_REPORT },
        async () => {
          const files = await precompressEmitted(compilation);
          const initial = compilation.entrypoints.get('shell')?.getFiles() ?? [];
          const withIntegrity = (extension: string) =>
            initial
              .filter((name) => name.endsWith(extension))
              .map((name) => ({ file: name, integrity: integrityOf(files.get(name) ?? Buffer.alloc(0)) }));
          const manifest: ShellManifest = {
            version: this.#version,
            scripts: withIntegrity('.js'),
            styles: withIntegrity('.css'),
          };
          compilation.emitAsset(shellManifestFileName, new sources.RawSource(JSON.stringify(manifest)));
        },
      );
    });
  }
}
