import { type Compilation, type RspackPluginInstance, rspack } from '@rspack/core';
import { precompress } from './precompress.ts';

/** Adds files that describe the other files of a build, once all of those exist and only if the build has no errors. */
export function completeBuild(
  name: string,
  complete: (compilation: Compilation) => Promise<void>,
): RspackPluginInstance {
  return {
    apply(compiler) {
      const stage = rspack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compiler.hooks.compilation.tap(name, (compilation) =>
        compilation.hooks.processAssets.tapPromise({ name, stage }, async () => {
          if (compilation.errors.length === 0) await complete(compilation);
        }),
      );
    },
  };
}

/**
 * Adds compressed siblings to the files of a production build. Skips source maps: they are for the developer's machine,
 * not for the site.
 *
 * @returns all files with their content
 */
export async function precompressEmitted(compilation: Compilation): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const { name, source } of compilation.getAssets()) {
    if (name.endsWith('.map')) continue;
    const content = source.buffer();
    files.set(name, content);
    if (compilation.options.mode !== 'production') continue;
    for (const [extension, compressed] of await precompress(name, content)) {
      files.set(name + extension, compressed);
      compilation.emitAsset(name + extension, new rspack.sources.RawSource(compressed));
    }
  }
  return files;
}
