import { findRoute, type Registry } from '@daybook/contract';

/**
 * The one address of a page that was asked for with slashes too many: `/terms/`, `//terms`, `/%2Fterms//`.
 *
 * It is made of the route's own path, which begins with one slash, so it can't lead to another host. The query stays
 * as it was written.
 *
 * @param path decoded, without the query
 * @param url as it was asked for, for its query
 * @returns nothing where the path has no slash too many, or is no page's without them
 */
export function plainAddress(registry: Registry, path: string, url: string): string | undefined {
  const plain = `/${path.split('/').filter(Boolean).join('/')}`;
  if (plain === path) return undefined;
  const found = findRoute(registry, plain);
  if (!found) return undefined;
  const query = url.indexOf('?');
  return found.route.path + (query === -1 ? '' : url.slice(query));
}
