import type { PageRoute } from './release/release.ts';
import { site } from './site.ts';

/** The document title of a route, or of an unknown path; the same from the server and after a click. */
export function pageTitle(route: Pick<PageRoute, 'path' | 'title'> | undefined): string {
  if (!route) return `404 Page Not Found | ${site.name}`;
  return route.path === '/' ? `${site.name}: ${route.title}` : `${route.title} | ${site.name}`;
}
