import { type Dirent, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { usedParts } from '@daybook/contract/parts';
import { contractVersion, type Release, releaseFileName, releaseSchema } from '@daybook/contract/release';
import { describeIssues } from '@daybook/releases';
import type { ChunkGroup, Compilation } from '@rspack/core';
import { completeBuild, compress, describeFiles, emit, emittedFiles, isSourceMap } from './complete-build.ts';
import { readManifest } from './manifest.ts';
import type { PrerenderedPages } from './prerender.ts';
import { sourceCommit } from './source-commit.ts';
import { type BuildSources, sourcesFileName, sourcesOf } from './sources.ts';
import { contentHash, placeholder, withHash } from './version.ts';

/**
 * Turns a remote's build into a complete release: pages as HTML, compressed siblings of the files, and `release.json`,
 * which lists all of them. Its version is a hash of exactly that, so equal releases have equal versions.
 *
 * @param remote its name, and the version with the placeholder of its hash
 * @param prerender reads the routes from `src/remote.ts` for each build: a watching build sees new ones
 */
export function releasePlugin(
  folder: string,
  { name, version }: Pick<Release, 'name' | 'version'>,
  prerender: () => Promise<PrerenderedPages>,
) {
  return completeBuild('ReleasePlugin', async (compilation) => {
    const { routes: prerendered, redirects } = await prerender();
    const emitted = emittedFiles(compilation);
    const entry = [...emitted.keys()].find((name) => name.startsWith('remoteEntry.') && name.endsWith('.js'));
    const routes = prerendered.map(({ route, module, fragment }) => ({
      ...route,
      files: pageFiles(compilation, module, route.path).filter((file) => file !== entry),
      fragment,
    }));
    const pages = prerendered.map(({ fragment, html }) => [fragment, Buffer.from(html)] as const);
    const root = path.dirname(folder);
    const sources = sourcesOf(compilation, root);
    const uses = usedParts(ownTexts(root, sources));
    const description = { name, version, contract: contractVersion, entry, routes, redirects, uses };

    const hash = contentHash(new Map([...emitted, ...pages].filter(([name]) => !isSourceMap(name))), description);
    for (const name of emitted.keys()) compilation.deleteAsset(name);
    const withoutPages = withHash(emitted, hash);
    // Fragments are not compressed: they are never sent on their own, only as a part of pages.
    const files = [...withoutPages, ...(await compress(compilation, withoutPages)), ...withHash(new Map(pages), hash)];
    const listed = files.filter(([name]) => !isSourceMap(name)).sort();

    const { commit, author } = sourceCommit(root, [...sources.files, `${name}/package.json`]);
    const stated = {
      ...JSON.parse(JSON.stringify(description).replaceAll(placeholder, hash)),
      ...(commit && { commit, author }),
      designSystem: designSystemOf(root, sources),
      files: describeFiles(listed),
    };
    const { data: release, error } = releaseSchema.safeParse(stated);
    if (error) throw new Error(`${name}/src/remote.ts: ${describeIssues(error, stated).join('; ')}.`);
    for (const [name, content] of files) emit(compilation, name, content);
    emit(compilation, releaseFileName, `${JSON.stringify(release, null, 2)}\n`);
    emit(compilation, sourcesFileName, `${JSON.stringify(sources, null, 2)}\n`);
  });
}

/** Returns the texts of a release's sources, without those of the contract, which name all of its parts. */
function ownTexts(root: string, { files }: BuildSources): readonly string[] {
  const own = files.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('packages/contract/'));
  return own.map((file) => readFileSync(path.join(root, file), 'utf8'));
}

/** Returns the version of the design system, a hash of its files except tests, if a release contains something of it. */
function designSystemOf(root: string, { files }: BuildSources): string | null {
  const folder = path.join(root, 'packages/ui');
  if (!files.some((file) => file.startsWith('packages/ui/'))) return null;
  const isLeftOut = ({ name }: Dirent) =>
    ['node_modules', 'test', 'README.md'].includes(name) || name.startsWith('.') || /\.spec\.tsx?$/.test(name);
  const listed = globSync('**', { cwd: folder, exclude: isLeftOut, withFileTypes: true });
  const paths = listed.filter((each) => each.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  const contents = new Map(paths.map((file) => [path.relative(root, file), readFileSync(file)]));
  return `${readManifest(folder).version}-${contentHash(contents)}`;
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
