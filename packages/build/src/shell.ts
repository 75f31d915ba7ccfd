import { createRequire } from 'node:module';
import path from 'node:path';
import { componentsPageFileName, type ShellManifest, shellManifestFileName } from '@daybook/contract/server';
import { type Configuration, type RspackPluginInstance, rspack } from '@rspack/core';
import { browserBuild } from './browser-build.ts';
import { completeBuild, compress, emit, emittedFiles, fileEntries, isSourceMap } from './complete-build.ts';
import { componentsPage } from './components-page.ts';
import { buildInlineScripts } from './inline-scripts.ts';
import { readPackageJson } from './package-json.ts';
import { runInNode } from './run-in-node.ts';
import { contentHash } from './version.ts';

/** Returns the Rspack configuration of the shell's browser part; `folder` is its `import.meta.dirname`. */
export function shell(folder: string) {
  return (_environment: unknown, { mode = 'production' }: { mode?: 'production' | 'development' }): Configuration => {
    const names = { uniqueName: 'shell', publicPath: '/assets/', classScope: 'shell-', fileHash: '[contenthash:8]' };
    const common = browserBuild({ folder, ...names }, mode);
    return {
      ...common,
      ...(mode === 'production' && { resolve: { ...common.resolve, alias: productionRouter(folder) } }),
      entry: { shell: './src/main.tsx', ...(mode === 'development' ? { components: '@daybook/ui/gallery' } : {}) },
      // In development too: the integrity values below are of files with content hashes in their names.
      optimization: {
        ...common.optimization,
        realContentHash: true,
        // Two first scripts, so that each is compiled and run in a task of its own.
        splitChunks: {
          cacheGroups: {
            default: false,
            defaultVendors: false,
            react: {
              name: 'react',
              chunks: 'initial',
              test: /\/node_modules\/(?:react|react-dom|scheduler)\//,
              enforce: true,
            },
          },
        },
      },
      plugins: [
        ...(common.plugins ?? []),
        // For lazy chunks and styles; the shell server adds integrity to the files that every page starts with.
        new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'], htmlPlugin: false, enabled: true }),
        ownIntegrityPlugin,
        shellManifestPlugin(folder, common),
      ],
    };
  };
}

/** The exports of React Router name its development build, whose warnings every page would load. */
function productionRouter(folder: string) {
  const entry = createRequire(path.join(folder, 'package.json')).resolve('react-router');
  const production = path.join(path.dirname(entry), '../production');
  return {
    'react-router$': path.join(production, 'index.mjs'),
    'react-router/dom$': path.join(production, 'dom-export.mjs'),
  };
}

/** Gives the shell's own chunks the integrity values of `SubresourceIntegrityPlugin`: no release has them. */
const ownIntegrityPlugin: RspackPluginInstance = {
  apply(compiler) {
    const name = 'OwnIntegrityPlugin';
    compiler.hooks.compilation.tap(name, (compilation) => {
      const { createScript } = rspack.RuntimePlugin.getCompilationHooks(compilation);
      createScript.tap(name, (code) => `${code}\nscript.integrity = __webpack_require__.sriHashes[chunkId];`);
    });
  },
};

interface ShellPrerenderer {
  readonly prerenderShell: () => Pick<ShellManifest, 'frames' | 'notFoundPage' | 'missingRemotesPage'>;
}

function shellManifestPlugin(folder: string, browser: Configuration) {
  return completeBuild('ShellManifestPlugin', async (compilation) => {
    const { exports } = await runInNode<ShellPrerenderer>(browser, './src/prerender/prerender-shell.tsx');
    const prerendered = exports.prerenderShell();
    const inlineScripts = await buildInlineScripts(browser);
    // Built apart: a watching build does not see them otherwise.
    compilation.contextDependencies.add(path.join(folder, 'src/inline'));
    const files = new Map([...emittedFiles(compilation)].filter(([name]) => !isSourceMap(name)));
    for (const [name, content] of await compress(compilation, files)) emit(compilation, name, content);
    const listed = fileEntries(files);
    const initialFiles = (entry: string, extension: string) =>
      (compilation.entrypoints.get(entry)?.getFiles() ?? [])
        .filter((file) => file.endsWith(extension))
        .map((file) => ({ file, integrity: listed[file]?.integrity ?? '' }));
    if (compilation.entrypoints.has('components')) {
      const page = componentsPage(initialFiles('components', '.js'), initialFiles('components', '.css'));
      emit(compilation, componentsPageFileName, page);
    }
    const manifest: ShellManifest = {
      version: `${readPackageJson(folder).version}-${contentHash(files, { ...prerendered, inlineScripts })}`,
      scripts: initialFiles('shell', '.js'),
      styles: initialFiles('shell', '.css'),
      files: listed,
      inlineScripts,
      ...prerendered,
    };
    emit(compilation, shellManifestFileName, JSON.stringify(manifest));
  });
}
