import { readFileSync } from 'node:fs';
import path from 'node:path';
import { siteRoutes } from './routes.ts';
import { buildFolder } from './workspaces.ts';

// Words of a page are its team's, which may change them without asking: tests read them from the build.

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" };

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&([#\w]+);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();

const routeOf = (pagePath: string) => {
  const [route] = siteRoutes([pagePath]);
  if (!route) throw new Error(`No remote has a page ${pagePath}.`);
  return route;
};

export function htmlOf(pagePath: string): string {
  const { remote, fragment } = routeOf(pagePath);
  return fragment ? readFileSync(path.join(buildFolder(remote), fragment), 'utf8') : '';
}

/** Returns the title of a page, without the name of the site. */
export const titleOf = (pagePath: string): string => routeOf(pagePath).title;

/**
 * Returns the first-level heading of a page.
 *
 * @throws Error if it has none
 */
export function headingOf(pagePath: string): string {
  const [, heading] = /<h1\b[^>]*>(.*?)<\/h1>/s.exec(htmlOf(pagePath)) ?? [];
  if (heading === undefined) throw new Error(`${pagePath} has no first-level heading.`);
  return textOf(heading);
}

/** Returns the sections of a text page: the ids and texts of its second-level headings, but for its own two. */
export const sectionsOf = (pagePath: string): readonly { readonly id: string; readonly heading: string }[] =>
  [...htmlOf(pagePath).matchAll(/<h2\b[^>]*?\bid="([^"]+)"[^>]*>(.*?)<\/h2>/gs)]
    .map(([, id = '', heading = '']) => ({ id, heading: textOf(heading) }))
    .filter(({ id }) => id !== 'contents' && id !== 'contact');
