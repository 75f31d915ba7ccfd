import type { RemoteDefinition } from '@daybook/platform/define-remote';
import type { ChunkGroup, Compilation } from '@rspack/core';

/** What a route's `page` imports, as it is written in `src/remote.ts`. */
function importOf({ path, page }: RemoteDefinition['routes'][number]): string {
  const [, request] = /import\(\s*['"`]([^'"`]+)['"`]\s*\)/.exec(String(page)) ?? [];
  if (!request)
    throw new Error(`The route ${path} does not say what its page is; write page: () => import('./pages/…').`);
  return request;
}

/** A chunk group's own files and those of the groups that load it. */
function filesOf(group: ChunkGroup, found = new Set<string>()): ReadonlySet<string> {
  for (const file of group.getFiles()) found.add(file);
  for (const parent of group.getParents()) filesOf(parent, found);
  return found;
}

/**
 * The files that each page needs beside the remote's entry: the chunks and styles of its module, and of what
 * leads there.
 *
 * @returns the files by the route's path
 * @throws Error where a route's page is not in the build
 */
export function pageFiles(
  compilation: Compilation,
  { routes }: RemoteDefinition,
  entry: string | undefined,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    routes.map((route) => {
      const request = importOf(route);
      const group = compilation.chunkGroups.find(({ origins }) => origins.some((origin) => origin.request === request));
      if (!group) throw new Error(`The page ${request} of the route ${route.path} is not in the build.`);
      const files = [...filesOf(group)].filter((file) => file !== entry && !file.endsWith('.map'));
      return [route.path, files.sort()];
    }),
  );
}
