import { integrityOf } from '@daybook/contract/manifest';
import type { Release } from '@daybook/contract/release';
import { type Compilation, type RspackPluginInstance, rspack } from '@rspack/core';
import { precompress } from './precompress.ts';

/** Adds files to a finished build without errors. A failure becomes an error of the build: thrown, it would end a watch. */
export function completeBuild(
  name: string,
  complete: (compilation: Compilation) => Promise<void>,
): RspackPluginInstance {
  return {
    apply(compiler) {
      const stage = rspack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compiler.hooks.compilation.tap(name, (compilation) =>
        compilation.hooks.processAssets.tapPromise({ name, stage }, async () => {
          if (compilation.errors.length > 0) return;
          await complete(compilation).catch(({ message }: Error) => compilation.errors.push(new Error(message)));
        }),
      );
    },
  };
}

/** Source maps are for the developer's machine, not for the site. */
export const isSourceMap = (name: string) => name.endsWith('.map');

export const emittedFiles = (compilation: Compilation): Map<string, Buffer> =>
  new Map(compilation.getAssets().map(({ name, source }) => [name, source.buffer()]));

export const fileEntries = (files: Iterable<readonly [string, Buffer]>): Release['files'] =>
  Object.fromEntries(
    [...files].map(([name, content]) => [name, { integrity: integrityOf(content), size: content.length }]),
  );

export const emit = (compilation: Compilation, name: string, content: Buffer | string): void =>
  compilation.emitAsset(name, new rspack.sources.RawSource(content));

/** Returns the compressed siblings of files, by name; none in development. */
export async function compress(
  compilation: Compilation,
  files: ReadonlyMap<string, Buffer>,
): Promise<Map<string, Buffer>> {
  if (compilation.options.mode !== 'production') return new Map();
  const siblings = [...files].map(async ([name, content]) =>
    [...(await precompress(name, content))].map(([extension, compressed]) => [name + extension, compressed] as const),
  );
  return new Map((await Promise.all(siblings)).flat());
}
