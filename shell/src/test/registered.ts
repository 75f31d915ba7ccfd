import type { PageRoute, RegisteredRemote, RegisteredRoute, Registry } from '@daybook/contract';

/** A route of a release. */
export const routeOf = (path: string, changes: Partial<PageRoute> = {}): PageRoute => ({
  path,
  title: `Title of ${path}`,
  description: `Description of ${path}`,
  frame: 'site',
  ...changes,
});

/** A remote with routes of these paths. */
export const remoteOf = (name: string, paths: readonly string[]): RegisteredRemote => ({
  name,
  version: '1.0.0-00000001',
  entry: `/remotes/${name}/1.0.0-00000001/remoteEntry.00000001.js`,
  routes: paths.map((path) => routeOf(path)),
});

/** A registry of one remote with routes of these paths. */
export const registryOf = (...paths: string[]): Registry => ({
  remotes: [remoteOf('mf-pages', paths)],
  missing: [],
});

/** The only route of a remote that has one. */
export function onlyRouteOf(remote: RegisteredRemote): RegisteredRoute {
  const [route] = remote.routes;
  if (!route) throw new Error(`${remote.name} has no route.`);
  return { remote, route };
}
