import type { Compilation } from '@rspack/core';
import { precompress } from './precompress.ts';

/**
 * Adds compressed siblings to the files of a build, and gives all of them with their content.
 * Source maps stay out: they are for the developer's machine, not for the site.
 */
export async function precompressEmitted(compilation: Compilation): Promise<ReadonlyMap<string, Buffer>> {
  const { RawSource } = compilation.compiler.rspack.sources;
  const files = new Map<string, Buffer>();
  for (const { name, source } of compilation.getAssets()) {
    if (name.endsWith('.map')) continue;
    const content = source.buffer();
    files.set(name, content);
    if (compilation.options.mode !== 'production') continue;
    for (const [extension, compressed] of await precompress(name, content)) {
      files.set(name + extension, compressed);
      compilation.emitAsset(name + extension, new RawSource(compressed));
    }
  }
  return files;
}
