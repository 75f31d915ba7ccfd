import type { Compilation } from '@rspack/core';

/** File beside a build that lists the packages in it; not a part of a release. */
export const sourcesFileName = 'sources.json';

export interface BuildSources {
  /** Packages in node_modules whose code is in the build, by name. */
  readonly packages: readonly string[];
}

/** Returns the packages whose code is in a chunk of the build. */
export function sourcesOf({ modules, chunkGraph }: Compilation): BuildSources {
  const inChunks = [...modules].filter((module) => chunkGraph.getModuleChunks(module).length > 0);
  // A concatenated module is one of several files.
  const all = inChunks.flatMap((module) => ('modules' in module ? (module.modules as typeof inChunks) : [module]));
  const packages = all.flatMap(
    (module) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module.nameForCondition() ?? '')?.[1] ?? [],
  );
  return { packages: [...new Set(packages)].sort() };
}
