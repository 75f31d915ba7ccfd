import { type Dirent, existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { usedParts } from '@daybook/contract/parts';
import { contractVersion, exposedName, type Release, releaseFileName, releaseSchema } from '@daybook/contract/release';
import type { RemoteDefinition } from '@daybook/platform/define-remote';
import { issueTexts } from '@daybook/releases';
import type { ChunkGroup, Compilation, Configuration, RspackPluginInstance } from '@rspack/core';
import { completeBuild, compress, emit, emittedFiles, fileEntries, isSourceMap } from './complete-build.ts';
import { readPackageJson } from './package-json.ts';
import { fileNameOf, fragmentOf, prerenderPages } from './prerender.ts';
import { sourceCommit } from './source-commit.ts';
import { type BuildSources, sourcesFileName, sourcesOf } from './sources.ts';
import { contentHash, placeholder, withHash } from './version.ts';

/** Returns what the remote's container exposes: each page, in a chunk that has its name. */
export const exposedPages = ({ routes }: RemoteDefinition) =>
  Object.fromEntries(
    routes.map(({ path, page }) => [
      exposedName(path),
      { import: page.replace('./', './src/'), name: fileNameOf(path) },
    ]),
  );

/** Names the routes whose page is no file; the bundler names only the file. */
export const missingPagesPlugin = (folder: string, { routes }: RemoteDefinition): RspackPluginInstance => ({
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('MissingPagesPlugin', ({ errors }) => {
      const name = path.basename(folder);
      for (const route of routes) {
        const file = path.join('src', route.page);
        const message = `The route ${route.path} of ${name} has the page ${route.page}, but there is no file ${name}/${file}.`;
        if (!existsSync(path.join(folder, file))) errors.push(new Error(message));
      }
    });
  },
});

/**
 * Turns a remote's build into a complete release: pages as HTML, compressed siblings of the files, and `release.json`,
 * which lists all of them. Its version is a hash of exactly that, so equal releases have equal versions.
 *
 * @param browser the build of the remote for the browser
 * @param remote its name, and the version with the placeholder of its hash
 */
export function releasePlugin(
  browser: Configuration,
  { name, version }: Pick<Release, 'name' | 'version'>,
  definition: RemoteDefinition,
) {
  const folder = String(browser.context);
  return completeBuild('ReleasePlugin', async (compilation) => {
    const pages = await prerenderPages(browser, definition);
    const emitted = emittedFiles(compilation);
    const entry = [...emitted.keys()].find((name) => name.startsWith('remoteEntry.') && name.endsWith('.js'));
    const routes = definition.routes.map(({ page: _, ...route }) => ({
      ...route,
      files: pageFiles(compilation, route.path).filter((file) => file !== entry),
      fragment: fragmentOf(route.path),
    }));
    const root = path.dirname(folder);
    const sources = sourcesOf(compilation, root);
    const uses = usedParts(ownTexts(root, sources));
    const metadata = {
      name,
      version,
      contract: contractVersion,
      entry,
      routes,
      redirects: definition.redirects,
      uses,
    };

    const hash = contentHash(new Map([...emitted, ...pages].filter(([name]) => !isSourceMap(name))), metadata);
    for (const name of emitted.keys()) compilation.deleteAsset(name);
    const withoutPages = withHash(emitted, hash);
    // Fragments are not compressed: they are never sent on their own, only as a part of pages.
    const files = [...withoutPages, ...(await compress(compilation, withoutPages)), ...withHash(pages, hash)];
    const listed = files.filter(([name]) => !isSourceMap(name)).sort();

    const { commit, author } = sourceCommit(root, [...sources.files, `${name}/package.json`]);
    const manifest = {
      ...JSON.parse(JSON.stringify(metadata).replaceAll(placeholder, hash)),
      ...(commit && { commit, author }),
      designSystem: designSystemOf(root, sources),
      files: fileEntries(listed),
    };
    const { data: release, error } = releaseSchema.safeParse(manifest);
    if (error) throw new Error(`${name}/src/remote.ts: ${issueTexts(error, manifest).join('; ')}.`);
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
  return `${readPackageJson(folder).version}-${contentHash(contents)}`;
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
