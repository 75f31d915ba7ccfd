import type { Release } from '@daybook/contract';
import { ReleaseRefusal } from './release-refusal.ts';

/** More than any honest release has; sizes in bytes. */
export const releaseLimits = {
  /** Of `release.json`: one of nothing but brackets takes a third of a millisecond for each kB to parse. */
  description: 300_000,
  files: 2_000,
  /** Folders that files are in, and folders inside one another: each is made and synced. */
  folders: 100,
  depth: 8,
  routes: 200,
  /** Characters of what all routes say: the page of every remote carries it. */
  routeText: 64_000,
  /** Chunks and styles of a route: its page names all of them. */
  filesOfRoute: 100,
  /** Characters of a file's path, and of a version. */
  name: 200,
  fileSize: 20_000_000,
  size: 60_000_000,
  /** What the document of a page holds, its fragment and styles, and of all pages together: it is kept in memory. */
  document: 1_000_000,
  documents: 10_000_000,
} as const;

/** Counts before the schema is applied, which takes microseconds for each value, and more for each wrong one. */
export function checkCounts(json: unknown): void {
  const { routes, files } = (json ?? {}) as { readonly routes?: unknown; readonly files?: unknown };
  const listed = Array.isArray(routes) ? routes : [];
  const ofRoutes = listed
    .slice(0, releaseLimits.routes)
    .map((route: { readonly files?: unknown } | null) => route?.files);
  const most = Math.max(0, ...ofRoutes.map((each) => (Array.isArray(each) ? each.length : 0)));
  checkCount(listed.length, releaseLimits.routes, 'routes');
  checkCount(most, releaseLimits.filesOfRoute, 'files for one route');
  checkCount(Object.keys(files ?? {}).length, releaseLimits.files, 'files');
}

function checkCount(count: number, limit: number, what: string): void {
  if (count > limit) throw new ReleaseRefusal('too-large', `it has ${count} ${what}; at most ${limit} are taken`);
}

/** @throws ReleaseRefusal where a release is larger than any honest one */
export function checkSizes({ files, routes }: Release): void {
  const refuse = (what: string, size: number, limit: number) => {
    if (size > limit) throw new ReleaseRefusal('too-large', `${what} has ${size} bytes; at most ${limit} are taken`);
  };
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  for (const [name, { size }] of Object.entries(files)) refuse(`its file ${name}`, size, releaseLimits.fileSize);
  refuse('it', sum(Object.values(files).map(({ size }) => size)), releaseLimits.size);
  const said = routes.map(({ files: _, fragment: __, ...rest }) => rest);
  refuse('what its routes say', JSON.stringify(said).length, releaseLimits.routeText);
  const documents = routes.map((route) => {
    const held = [route.fragment ?? '', ...route.files.filter((file) => file.endsWith('.css'))];
    const size = sum(held.map((file) => files[file]?.size ?? 0));
    refuse(`the page ${route.path} with its styles`, size, releaseLimits.document);
    return size;
  });
  refuse('all pages together', sum(documents), releaseLimits.documents);
}
