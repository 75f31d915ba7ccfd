import path from 'node:path';
import { readManifest } from '@daybook/contract/manifest';
import { apiNumber, type Release, releaseFileName } from '@daybook/contract/release';
import type { ChunkGroup, Compilation, Configuration } from '@rspack/core';
import { completeBuild, compress, emit, emittedFiles, fileEntries, isSourceMap } from './complete-build.ts';
import { sourceCommit } from './git.ts';
import type { Page } from './pages.ts';
import { fileNameOf, fragmentOf, prerenderPages } from './prerender.ts';
import { contentHash, placeholder, withHash } from './version.ts';

/** Completes a remote's build with pages as HTML, compressed files and `release.json`; its version is a hash of all that. */
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
    // Fragments are never sent on their own.
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

/** @throws Error if React is in the build: hooks fail with two copies */
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

function pageFiles(compilation: Compilation, path: string): readonly string[] {
  const group = compilation.namedChunkGroups.get(fileNameOf(path));
  return group ? [...filesOf(group)].filter((file) => !isSourceMap(file)).sort() : [];
}

function filesOf(group: ChunkGroup): ReadonlySet<string> {
  return new Set([...group.getFiles(), ...group.getParents().flatMap((parent) => [...filesOf(parent)])]);
}
