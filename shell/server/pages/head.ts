import { type PageRoute, pageTitle, site } from '@daybook/contract';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

const meta = (attribute: 'name' | 'property', name: string, content: string) =>
  `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`;

/** The picture that is shown where a page is shared; in the shell's public folder, sizes in pixels. */
export const socialCard = { path: '/social-card.png', width: 1200, height: 630 } as const;

/**
 * What search engines and sharing read of a page: title, description, canonical address, Open Graph.
 * An unknown path, and a page that only makes sense in the middle of a journey, stays out of the index.
 *
 * @param publicUrl the site's origin as visitors know it
 */
export function renderPageHead(route: PageRoute | undefined, publicUrl: string): readonly string[] {
  const title = pageTitle(route);
  const description = route?.description ?? site.description;
  const indexed = route !== undefined && !route.noIndex;
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    indexed ? `<link rel="canonical" href="${escapeHtml(publicUrl + route.path)}">` : meta('name', 'robots', 'noindex'),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', site.name),
    meta('property', 'og:locale', site.locale),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    ...(indexed ? [meta('property', 'og:url', publicUrl + route.path)] : []),
    meta('property', 'og:image', publicUrl + socialCard.path),
    meta('property', 'og:image:width', String(socialCard.width)),
    meta('property', 'og:image:height', String(socialCard.height)),
    meta('property', 'og:image:alt', `${site.name}: ${site.tagline}`),
    meta('name', 'twitter:card', 'summary_large_image'),
  ];
}
