import { contractVersion, releaseFileName, releaseSchema } from '@daybook/contract';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import { integrityOf } from '@daybook/release';
import { type ChunkGroup, type Compilation, rspack } from '@rspack/core';
import { completeBuild, precompressEmitted } from './complete-build.ts';
import type { Fragment } from './prerender.ts';
import type { SourceCommit } from './source-commit.ts';

/**
 * Turns a remote's build into a complete release: pages as HTML, compressed siblings of the files, and `release.json`,
 * which lists all of them.
 */
export function releasePlugin(
  definition: RemoteDefinition,
  version: string,
  source: SourceCommit,
  prerender: () => Promise<readonly Fragment[]>,
) {
  return completeBuild('ReleasePlugin', async (compilation) => {
    const fragments = await prerender();
    const emit = (name: string, text: string) => compilation.emitAsset(name, new rspack.sources.RawSource(text));
    const files = await precompressEmitted(compilation);
    // After the compression: fragments are never sent on their own, only as a part of pages.
    for (const { file, html } of fragments) {
      files.set(file, Buffer.from(html));
      emit(file, html);
    }
    const entry = [...files.keys()].find((name) => /^remoteEntry\.\w+\.js$/.test(name));
    const release = releaseSchema.parse({
      name: definition.name,
      version,
      contract: contractVersion,
      ...source,
      entry,
      routes: definition.routes.map(({ page, ...route }) => ({
        ...route,
        files: pageFiles(compilation, importOf(route.path, page), route.path).filter((file) => file !== entry),
        fragment: fragments.find(({ path }) => path === route.path)?.file,
      })),
      files: Object.fromEntries(
        [...files].sort().map(([name, content]) => [name, { integrity: integrityOf(content), size: content.length }]),
      ),
    });
    emit(releaseFileName, `${JSON.stringify(release, null, 2)}\n`);
  });
}

/** Returns the specifier that a route's `page` imports, as written in `src/remote.ts`. */
function importOf(path: string, page: RemoteDefinition['routes'][number]['page']): string {
  const [, request] = /import\(\s*['"`]([^'"`]+)['"`]\s*\)/.exec(String(page)) ?? [];
  if (!request) throw new Error(`The route ${path} does not import its page; write page: () => import('./pages/…').`);
  return request;
}

/**
 * Returns the files that a page needs in addition to the remote's entry: chunks and styles of its module and of the
 * chunk groups that load it.
 */
function pageFiles(compilation: Compilation, request: string, path: string): readonly string[] {
  const group = compilation.chunkGroups.find(({ origins }) => origins.some((origin) => origin.request === request));
  if (!group) throw new Error(`The page ${request} of the route ${path} is not in the build.`);
  return [...filesOf(group)].filter((file) => !file.endsWith('.map')).sort();
}

/** Returns the files of a chunk group and of its parent groups. */
function filesOf(group: ChunkGroup): ReadonlySet<string> {
  return new Set([...group.getFiles(), ...group.getParents().flatMap((parent) => [...filesOf(parent)])]);
}
