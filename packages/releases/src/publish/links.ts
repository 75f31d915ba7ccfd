import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, reservedPath } from '@daybook/contract/release';
import { CommandError } from '@daybook/server';
import type { StoredCandidate } from './changes.ts';

/** Any host: links of the site name none. */
const site = 'http://site.invalid';

/** Addresses of the shell server itself, and files. */
const isOtherAddress = (pathname: string) => reservedPath.test(pathname) || /^\/_|\.\w+$/.test(pathname);

/** Sections that the shell's frame has on each page. */
const sectionsOfFrame = ['', 'top', 'main'];

/** React writes attributes in double quotes, and `&` as `&amp;`. */
const valuesOf = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&'));

const withoutEndingSlash = (pathname: string) => pathname.replace(/(?<=.)\/$/, '');

/** Returns a line for each link of a release's pages to a page or section that does not exist. */
function findDeadLinks(
  { folder, release }: StoredCandidate,
  others: readonly Release[] | undefined,
): readonly string[] {
  const pages = new Map(
    release.routes.map(({ path: routePath, fragment }) => [
      routePath,
      fragment === undefined ? undefined : readFileSync(path.join(folder, fragment), 'utf8'),
    ]),
  );
  const otherPages = others && new Set(others.flatMap(({ routes }) => routes.map((route) => route.path)));

  /** Returns why a link leads nowhere; `undefined` if it leads somewhere, or if that is not known. */
  function problemOf(routePath: string, href: string): string | undefined {
    const url = URL.parse(href, site + routePath);
    if (!url) return 'is no address';
    if (url.origin !== site) return undefined;
    const target = withoutEndingSlash(url.pathname);
    if (!pages.has(target)) {
      if (!otherPages || otherPages.has(target) || isOtherAddress(target)) return undefined;
      return 'is no page of any remote';
    }
    const html = pages.get(target);
    const section = url.hash.slice(1).split(':~:', 1)[0] ?? '';
    if (html === undefined || sectionsOfFrame.includes(section)) return undefined;
    const ids = valuesOf(html, /\sid="([^"]*)"/g).map((id) => new URL(`#${id}`, site).hash.slice(1));
    return ids.includes(section) ? undefined : `names no section of ${target}`;
  }

  return [...pages].flatMap(([routePath, html = '']) =>
    [...new Set(valuesOf(html, /<a\b[^>]*?\shref="([^"]*)"/g))].flatMap((href) => {
      const problem = problemOf(routePath, href);
      return problem ? [`${routePath}: its link to ${href} ${problem}`] : [];
    }),
  );
}

/**
 * Checks that the links in a candidate's pages lead to pages and sections that exist. Those that lead nowhere in the
 * published release as well pass: another remote may have removed a page, which must not stop an urgent release.
 *
 * @param others the releases of the other remotes; without them, links to other remotes' pages are not checked
 * @param isIntended whether links may lead nowhere yet
 * @returns the number of such links, for people
 * @throws CommandError naming each page and link
 */
export function checkLinks(
  candidate: StoredCandidate,
  published: StoredCandidate | undefined,
  others: readonly Release[] | undefined,
  isIntended: boolean,
): string | undefined {
  const before = publishedDeadLinks(published, others);
  const dead = findDeadLinks(candidate, others).filter((line) => !before.has(line));
  if (dead.length === 0) return undefined;
  if (isIntended) return `${dead.length} that lead nowhere yet`;
  throw new CommandError(
    `${dead.join('\n')}\nCorrect the links; if the pages follow, as that of a remote that is released later: npm run release -w ${candidate.release.name} -- --dead-links`,
  );
}

function publishedDeadLinks(published: StoredCandidate | undefined, others: readonly Release[] | undefined) {
  if (!published) return new Set<string>();
  try {
    return new Set(findDeadLinks(published, others));
  } catch {
    // Files are missing at its origin.
    return new Set<string>();
  }
}

/** Returns the paths of pages that the published release has, and a candidate has no more. */
export function removedPages({ release }: StoredCandidate, published: StoredCandidate | undefined): readonly string[] {
  const paths = new Set(release.routes.map((route) => route.path));
  return (published?.release.routes ?? []).map((route) => route.path).filter((each) => !paths.has(each));
}
