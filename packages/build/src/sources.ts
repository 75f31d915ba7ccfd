import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Compilation } from '@rspack/core';

/** File beside a build that lists the sources in it; not a part of a release. */
export const sourcesFileName = 'sources.json';

/** The sources that a build contains. */
export interface BuildSources {
  /** Files of this repository, relative to its root. */
  readonly files: readonly string[];
  /** Packages in node_modules, by name. */
  readonly packages: readonly string[];
}

/** Returns the name of the installed package that a file belongs to; `undefined` for a file of this repository. */
export const packageOf = (file: string): string | undefined => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];

/** Reads the list of sources beside a build; empty if there is none. */
export function readSources(folder: string): BuildSources {
  const file = path.join(folder, sourcesFileName);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { files: [], packages: [] };
}

/** Returns the sources whose code or content is in a chunk of the build. */
export function sourcesOf({ modules, chunkGraph }: Compilation, root: string): BuildSources {
  const inChunks = [...modules].filter((module) => chunkGraph.getModuleChunks(module).length > 0);
  // A concatenated module is one of several files.
  const all = inChunks.flatMap((module) => ('modules' in module ? (module.modules as typeof inChunks) : [module]));
  const paths = all.flatMap((module) => module.nameForCondition() ?? []);
  const packages = paths.flatMap((file) => packageOf(file) ?? []);
  const files = paths
    // Modules of the federation plugin have paths without a file.
    .filter((file) => !file.includes('/node_modules/') && existsSync(file))
    .map((file) => path.relative(root, file))
    .filter((file) => !file.startsWith('..'));
  return { files: [...new Set(files)].sort(), packages: [...new Set(packages)].sort() };
}
