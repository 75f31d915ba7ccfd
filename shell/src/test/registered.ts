import type { PageRoute, RegisteredRelease, RegisteredRemote } from '@daybook/contract/release';

/** A route of a release. */
export const routeOf = (path: string, changes: Partial<PageRoute> = {}): PageRoute => ({
  path,
  title: `Title of ${path}`,
  description: `Description of ${path}`,
  frame: 'site',
  ...changes,
});

/** A release with one script, its entry. */
export const releaseOf = (name: string, version = '1.0.0-00000001'): RegisteredRelease => ({
  version,
  entry: `/remotes/${name}/${version}/remoteEntry.00000001.js`,
  integrity: { 'remoteEntry.00000001.js': `sha384-${'B'.repeat(64)}` },
});

/** A remote with routes of these paths. */
export const remoteOf = (
  name: string,
  paths: readonly string[],
  changes: Partial<RegisteredRemote> = {},
): RegisteredRemote => ({
  ...releaseOf(name, changes.version),
  name,
  routes: paths.map((path) => routeOf(path)),
  ...changes,
});
