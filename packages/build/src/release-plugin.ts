import path from 'node:path';
import { readManifest } from '@daybook/contract/manifest';
import { apiNumber, type Release, releaseFileName } from '@daybook/contract/release';
import type { ChunkGroup, Compilation, Configuration } from '@rspack/core';
import { completeBuild, compress, emit, emittedFiles, fileEntries, isSourceMap } from './complete-build.ts';
import { sourceCommit } from './git.ts';
import type { Page } from './pages.ts';
import { fileNameOf, fragmentOf, prerenderPages } from './prerender.ts';
import { contentHash, placeholder, withHash } from './version.ts';

/**
 * Turns a remote's build into a complete release: pages as HTML, compressed siblings of the files, and `release.json`,
 * which lists all of them. Its version is a hash of exactly that, so equal releases have equal versions.
 *
 * @param browser the build of the remote for the browser
 * @param remote its name, the version with the placeholder of its hash, and its redirects
 */
export function releasePlugin(
  browser: Configuration,
  { name, version, redirects }: Pick<Release, 'name' | 'version' | 'redirects'>,
  pages: readonly Page[],
) {
  const folder = String(browser.context);
  return completeBuild('ReleasePlugin', async (compilation) => {
    expectShared(compilation, name);
    const fragments = await prerenderPages(browser, pages);
    const emitted = emittedFiles(compilation);
    const entry = [...emitted.keys()].find((name) => name.startsWith('remoteEntry.') && name.endsWith('.js'));
    const routes = pages.map(({ route }) => {
      const files = pageFiles(compilation, route.path).filter((file) => file !== entry);
      const fragment = fragmentOf(route.path);
      const ofPage = [...emitted, ...fragments].filter(([file]) => files.includes(file) || file === fragment);
      return { ...route, files, fragment, hash: contentHash(new Map(ofPage), route) };
    });
    const metadata = { name, version, api: apiNumber, entry, routes, redirects };

    const hash = contentHash(new Map([...emitted, ...fragments].filter(([name]) => !isSourceMap(name))), metadata);
    for (const name of emitted.keys()) compilation.deleteAsset(name);
    const hashed = withHash(emitted, hash);
    // Fragments are not compressed: they are never sent on their own, only as a part of pages.
    const files = [...hashed, ...(await compress(compilation, hashed)), ...withHash(fragments, hash)];
    const listed = files.filter(([name]) => !isSourceMap(name)).sort();

    const { commit, author } = sourceCommit(path.dirname(folder), [name, 'packages']);
    const manifest = {
      ...JSON.parse(JSON.stringify(metadata).replaceAll(placeholder, hash)),
      ...(commit && { commit, author }),
      files: fileEntries(listed),
    };
    const release = readManifest(JSON.stringify(manifest), name);
    for (const [name, content] of files) emit(compilation, name, content);
    emit(compilation, releaseFileName, `${JSON.stringify(release, null, 2)}\n`);
  });
}

/** @throws Error if a package that the shell provides is in the build: hooks fail with two copies of React */
function expectShared({ modules, chunkGraph }: Compilation, remote: string): void {
  const inChunks = [...modules].filter((module) => chunkGraph.getModuleChunks(module).length > 0);
  // A concatenated module is one of several files.
  const all = inChunks.flatMap((module) => ('modules' in module ? (module.modules as typeof inChunks) : [module]));
  const copied = ['react', 'react-dom'].filter((name) =>
    all.some((module) => module.nameForCondition()?.includes(`/node_modules/${name}/`)),
  );
  if (copied.length > 0)
    throw new Error(
      `${remote} contains its own copy of ${copied.join(' and ')}: hooks fail with two. Import “react”, “react/jsx-runtime” and “react-dom” by these names only, no file or other entry of them.`,
    );
}

/** Returns the files that the page of a route needs: chunks and styles of its module and of the chunk groups that load it. */
function pageFiles(compilation: Compilation, path: string): readonly string[] {
  const group = compilation.namedChunkGroups.get(fileNameOf(path));
  return group ? [...filesOf(group)].filter((file) => !isSourceMap(file)).sort() : [];
}

/** Returns the files of a chunk group and of its parent groups. */
function filesOf(group: ChunkGroup): ReadonlySet<string> {
  return new Set([...group.getFiles(), ...group.getParents().flatMap((parent) => [...filesOf(parent)])]);
}
