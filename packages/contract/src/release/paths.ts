import type { Release } from './release.ts';

/** A release with what it claims of the site's paths. */
export type Claims = Pick<Release, 'name' | 'version' | 'routes' | 'redirects'>;

const hasRoute = ({ routes }: Pick<Claims, 'routes'>, path: string) => routes.some((route) => route.path === path);
const hasRedirect = ({ redirects = {} }: Pick<Claims, 'redirects'>, path: string) => Object.hasOwn(redirects, path);

/** Returns a sentence for each path of a release that another remote claims. */
export function pathConflicts(release: Claims, others: readonly Claims[]): readonly string[] {
  const nameOf = ({ name, version }: Claims) => `${name}@${version}`;
  const paths = [...release.routes.map(({ path }) => path), ...Object.keys(release.redirects ?? {})];
  return others.flatMap((other) =>
    paths
      .filter((path) => hasRoute(other, path) || hasRedirect(other, path))
      .map((path) => {
        const claim = hasRoute(other, path) ? 'belongs to' : 'is a redirect of';
        return `${path} of ${nameOf(release)} ${claim} ${nameOf(other)}.`;
      }),
  );
}

/** Returns a sentence for each redirect of a release that leads to no page of the site, or to another redirect. */
export function redirectProblems(release: Claims, others: readonly Claims[]): readonly string[] {
  const site = [release, ...others];
  return Object.entries(release.redirects ?? {}).flatMap(([from, to]) => {
    if (hasRoute(release, from)) return `It redirects ${from}, which is one of its pages.`;
    if (site.some((each) => hasRedirect(each, to)))
      return `It redirects ${from} to ${to}, which is a redirect itself; name the last page.`;
    return site.some((each) => hasRoute(each, to))
      ? []
      : `It redirects ${from} to ${to}, which is no page of the site.`;
  });
}
