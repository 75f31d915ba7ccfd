import { type PageRoute, pageTitle, site } from '@daybook/contract';
import { escapeHtml } from './escape-html.ts';

const meta = (attribute: 'name' | 'property', name: string, content: string) =>
  `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`;

/**
 * The picture that is shown where a page is shared; in the shell's public folder, sizes in pixels. One for all pages
 * (docs/decisions/2026-11-21-one-picture-for-sharing.md); its alternative text begins with the page's title.
 */
export const socialCard = {
  path: '/social-card.png',
  width: 1200,
  height: 630,
  /** The words in shell/pictures/social-card.html. */
  says: 'The day in money, written up before breakfast. Daybook, the free daily finance newsletter',
} as const;

const unknownPathDescription = `There is no page at this address of ${site.name}.`;

/**
 * What search engines and sharing read of a page: title, description, canonical address, Open Graph.
 * An unknown path, and a page that only makes sense in the middle of a journey, stays out of the index; the latter
 * has its address without query all the same, for whoever shares it from there.
 *
 * @param publicUrl the site's origin as visitors know it
 */
export function renderPageHead(route: PageRoute | undefined, publicUrl: string): readonly string[] {
  const title = pageTitle(route);
  const description = route?.description ?? unknownPathDescription;
  const address = route && publicUrl + route.path;
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    ...(!route || route.noIndex ? [meta('name', 'robots', 'noindex')] : []),
    ...(address ? [`<link rel="canonical" href="${escapeHtml(address)}">`] : []),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', site.name),
    meta('property', 'og:locale', site.locale),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    ...(address ? [meta('property', 'og:url', address)] : []),
    meta('property', 'og:image', publicUrl + socialCard.path),
    meta('property', 'og:image:width', String(socialCard.width)),
    meta('property', 'og:image:height', String(socialCard.height)),
    meta('property', 'og:image:alt', `${title}. ${socialCard.says}`),
    meta('name', 'twitter:card', 'summary_large_image'),
  ];
}
