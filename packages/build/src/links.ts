const origin = 'https://site.invalid';

/** Prefixes of paths that are files or calls. */
const notPages = /^\/(?:remotes|assets|api)\//;

/** The top of a page, for browsers, and the shell's main landmark around it. */
const commonIds = ['', 'top', 'main'];

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
};
const decode = (text: string) => text.replaceAll(/&(?:amp|quot|#x27|lt|gt);/g, (entity) => entities[entity] ?? entity);

/** Returns the values of an attribute. In React's HTML, `<` and `>` are only around tags. */
const valuesOf = (html: string, element: string, attribute: string) =>
  Array.from(html.matchAll(new RegExp(`<${element} [^<>]*`, 'g'))).flatMap(([tag]) => {
    const [, value] = new RegExp(` ${attribute}="([^"]*)"`).exec(tag) ?? [];
    return value === undefined ? [] : [decode(value)];
  });

const around = (html: string, position: number) =>
  decode(html.slice(Math.max(0, position - 40), position + 40).replaceAll(/(?:<[^>]*>)+|^[^<]*>|<[^>]*$/g, ' ')).trim();

/** Percent-encoded, as Markdown writes links. */
const hashOf = (id: string) => new URL(`#${id}`, origin).hash;

/** Returns a sentence for each link to a missing page or section, and for each Markdown link that is not closed. */
export function brokenLinks(pages: ReadonlyMap<string, string>, sitePaths: ReadonlySet<string>): readonly string[] {
  const ids = new Map(
    [...pages].map(([path, html]) => [path, new Set([...commonIds, ...valuesOf(html, '[a-z]\\w*', 'id')].map(hashOf))]),
  );
  const problemOf = (path: string, href: string) => {
    const target = URL.parse(href, origin + path);
    if (target?.origin !== origin || notPages.test(target.pathname)) return [];
    if (!sitePaths.has(target.pathname)) return [`${path} links to ${href}, which is no page of the site.`];
    const known = ids.get(target.pathname);
    return !known || known.has(target.hash)
      ? []
      : [`${path} links to ${href}, but ${target.pathname} has no section with that id.`];
  };
  return [...pages].flatMap(([path, html]) => {
    const open = html.indexOf('](');
    return [
      ...[...new Set(valuesOf(html, 'a', 'href'))].flatMap((href) => problemOf(path, href)),
      ...(open < 0 ? [] : [`${path} shows “${around(html, open)}”: a link in its Markdown is not closed.`]),
    ];
  });
}
