import { contractVersion, type Release, releaseFileName, releaseSchema } from '@daybook/contract';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import type { Compilation, Compiler, RspackPluginInstance } from '@rspack/core';
import { precompressEmitted } from './emitted-files.ts';
import { integrityOf } from './integrity.ts';
import { pageFiles } from './page-files.ts';
import type { Fragment } from './prerender/fragments.ts';
import type { SourceCommit } from './source-commit.ts';

export interface ReleasePluginOptions {
  readonly definition: RemoteDefinition;
  readonly version: string;
  readonly source: SourceCommit;
  /** Renders the remote's pages. */
  readonly prerender: () => Promise<readonly Fragment[]>;
}

/**
 * Makes a remote's build a complete release: its pages as HTML, compressed siblings of its files, and `release.json`,
 * which names all of them.
 */
export class ReleasePlugin implements RspackPluginInstance {
  readonly #options: ReleasePluginOptions;

  constructor(options: ReleasePluginOptions) {
    this.#options = options;
  }

  apply(compiler: Compiler): void {
    const { Compilation, sources } = compiler.rspack;
    compiler.hooks.compilation.tap('ReleasePlugin', (compilation) => {
      compilation.hooks.processAssets.tapPromise(
        { name: 'ReleasePlugin', stage: Compilation.PROCESS_ASSETS_STAGE_REPORT },
        async () => {
          if (compilation.errors.length > 0) return;
          const fragments = await this.#options.prerender();
          // After the compression: they are never sent as they are, but as a part of pages.
          const files = new Map(await precompressEmitted(compilation));
          for (const { file, html } of fragments) {
            files.set(file, Buffer.from(html));
            compilation.emitAsset(file, new sources.RawSource(html));
          }
          const release = this.#describe(compilation, files, fragments);
          compilation.emitAsset(releaseFileName, new sources.RawSource(`${JSON.stringify(release, null, 2)}\n`));
        },
      );
    });
  }

  #describe(compilation: Compilation, files: ReadonlyMap<string, Buffer>, fragments: readonly Fragment[]): Release {
    const { definition, version, source } = this.#options;
    const entry = [...files.keys()].find((name) => /^remoteEntry\.\w+\.js$/.test(name));
    const filesOfPages = pageFiles(compilation, definition, entry);
    return releaseSchema.parse({
      name: definition.name,
      version,
      contract: contractVersion,
      ...source,
      entry,
      routes: definition.routes.map(({ page: _, ...route }) => ({
        ...route,
        files: filesOfPages.get(route.path),
        fragment: fragments.find(({ path }) => path === route.path)?.file,
      })),
      files: Object.fromEntries(
        [...files].sort().map(([name, content]) => [name, { integrity: integrityOf(content), size: content.length }]),
      ),
    });
  }
}
