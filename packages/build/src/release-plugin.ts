import path from 'node:path';
import { contractVersion, releaseFileName, releaseSchema } from '@daybook/contract';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import { integrityOf } from '@daybook/release';
import type { ChunkGroup, Compilation } from '@rspack/core';
import { completeBuild, compress, emit, emittedFiles, isSourceMap } from './complete-build.ts';
import type { Fragment } from './prerender.ts';
import { sourceCommit } from './source-commit.ts';
import { hashOfFolders, readManifest } from './source-hash.ts';
import { type BuildSources, sourcesFileName, sourcesOf } from './sources.ts';
import { contentHash, placeholder, withHash } from './version.ts';

/**
 * Turns a remote's build into a complete release: pages as HTML, compressed siblings of the files, and `release.json`,
 * which lists all of them. Its version is a hash of exactly that, so equal releases have equal versions.
 *
 * @param version the version with the placeholder of its hash
 */
export function releasePlugin(
  folder: string,
  definition: RemoteDefinition,
  version: string,
  prerender: () => Promise<readonly Fragment[]>,
) {
  return completeBuild('ReleasePlugin', async (compilation) => {
    const fragments = await prerender();
    const emitted = emittedFiles(compilation);
    const entry = [...emitted.keys()].find((name) => name.startsWith('remoteEntry.') && name.endsWith('.js'));
    const routes = definition.routes.map(({ page, ...route }) => ({
      ...route,
      files: pageFiles(compilation, importOf(route.path, page), route.path).filter((file) => file !== entry),
      fragment: fragments.find(({ path }) => path === route.path)?.file,
    }));
    const pages = fragments.map(({ file, html }) => [file, Buffer.from(html)] as const);
    const description = { name: definition.name, version, contract: contractVersion, entry, routes };

    const hash = contentHash(new Map([...emitted, ...pages].filter(([name]) => !isSourceMap(name))), description);
    for (const name of emitted.keys()) compilation.deleteAsset(name);
    const withoutPages = withHash(emitted, hash);
    // Fragments are not compressed: they are never sent on their own, only as a part of pages.
    const files = [...withoutPages, ...(await compress(compilation, withoutPages)), ...withHash(new Map(pages), hash)];
    const listed = files.filter(([name]) => !isSourceMap(name)).sort();

    const sources = sourcesOf(compilation, path.dirname(folder));
    const release = releaseSchema.parse({
      ...JSON.parse(JSON.stringify(description).replaceAll(placeholder, hash)),
      ...sourceCommit(path.dirname(folder), [...sources.files, `${definition.name}/package.json`]),
      designSystem: designSystemOf(path.dirname(folder), sources),
      files: Object.fromEntries(
        listed.map(([name, content]) => [name, { integrity: integrityOf(content), size: content.length }]),
      ),
    });
    for (const [name, content] of files) emit(compilation, name, content);
    emit(compilation, releaseFileName, `${JSON.stringify(release, null, 2)}\n`);
    emit(compilation, sourcesFileName, `${JSON.stringify(sources, null, 2)}\n`);
  });
}

/** Returns the version of the design system, if a release contains something of it. */
function designSystemOf(root: string, { files }: BuildSources): string | null {
  const folder = path.join(root, 'packages/ui');
  if (!files.some((file) => file.startsWith('packages/ui/'))) return null;
  return `${readManifest(folder).version}-${hashOfFolders(root, [folder])}`;
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
  return [...filesOf(group)].filter((file) => !isSourceMap(file)).sort();
}

/** Returns the files of a chunk group and of its parent groups. */
function filesOf(group: ChunkGroup): ReadonlySet<string> {
  return new Set([...group.getFiles(), ...group.getParents().flatMap((parent) => [...filesOf(parent)])]);
}
