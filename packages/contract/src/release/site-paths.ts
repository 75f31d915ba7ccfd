import type { RegisteredPage, RegisteredRemote } from './registry.ts';
import type { Release } from './release.ts';

/** A route as releases and the registry have it. */
type Claim = Pick<Release['routes'][number], 'path' | 'movesTo' | 'takenFrom'>;

/** A remote with what it claims of the site's paths. */
interface Claims {
  readonly name: string;
  readonly routes: readonly Claim[];
  readonly redirects?: Readonly<Record<string, string>> | undefined;
}

const claimOf = ({ routes }: Claims, path: string) => routes.find((route) => route.path === path);

/**
 * Returns the remotes with one owner for each path: a page that another remote has taken over is left out, and a redirect
 * whose page does not exist, which would be a chain or a loop.
 *
 * @param remotes those that one visitor gets
 */
export function settlePaths(
  remotes: readonly (Omit<RegisteredRemote, 'routes'> & { readonly routes: readonly (RegisteredPage & Claim)[] })[],
): readonly RegisteredRemote[] {
  const isTaken = (path: string, owner: string) =>
    remotes.some((other) => other.name !== owner && claimOf(other, path)?.takenFrom === owner);
  const settled = remotes.map(({ routes, ...remote }) => ({
    ...remote,
    routes: routes
      .filter(({ path }) => !isTaken(path, remote.name))
      .map(({ movesTo: _, takenFrom: __, ...route }) => route),
  }));
  const pages = new Set(settled.flatMap(({ routes }) => routes.map(({ path }) => path)));
  return settled.map(({ redirects = {}, ...remote }) => {
    const live = Object.entries(redirects).filter(([from, to]) => pages.has(to) && !pages.has(from));
    return { ...remote, ...(live.length > 0 && { redirects: Object.fromEntries(live) }) };
  });
}

/** What a release is compared with: the release that visitors get of its remote, and whether it was published before. */
interface PathOptions {
  readonly active?: Claims | undefined;
  readonly isStored?: boolean;
}

/**
 * Returns why a release can't have a path that another remote has: the running remote keeps the path, unless it states that
 * its page moves to the other one. A stored release may have a page that was taken over since, which stays with its new
 * owner: no move stands in the way of a rollback.
 *
 * @param others the releases that visitors get of the other remotes
 * @returns `undefined` if the release and the others agree
 */
export function pathConflict(
  release: Claims,
  others: readonly (Claims & { readonly version: string })[],
  { active, isStored = false }: PathOptions,
): string | undefined {
  const isRunning = (path: string) => active !== undefined && claimOf(active, path) !== undefined;
  for (const other of others) {
    const owner = `${other.name}@${other.version}`;
    for (const { path, takenFrom } of release.routes) {
      const claim = claimOf(other, path);
      const takes = takenFrom === other.name;
      const isAgreed = takes
        ? claim?.movesTo === release.name || isRunning(path)
        : claim?.takenFrom === release.name && (isStored || isRunning(path));
      if (claim && !isAgreed)
        return takes
          ? `its route ${path} is still one of ${owner}, which does not state that it moves: write movesTo: '${release.name}' at that route of ${other.name}, and release ${other.name} first`
          : `its route ${path} belongs to ${owner}`;
      if (Object.hasOwn(other.redirects ?? {}, path)) return `its route ${path} is a redirect of ${owner}`;
    }
    for (const path of Object.keys(release.redirects ?? {})) {
      if (claimOf(other, path)) return `it redirects ${path}, which belongs to ${owner}`;
      if (Object.hasOwn(other.redirects ?? {}, path)) return `it redirects ${path}, as ${owner} does`;
    }
  }
  return undefined;
}

/**
 * Returns why a redirect of a release can't lead where it does: to no page of the site, or to one that is redirected itself.
 *
 * @param others the releases that other remotes serve
 * @returns `undefined` if all lead to pages
 */
export function redirectProblem(release: Claims, others: readonly Claims[]): string | undefined {
  const site = [release, ...others];
  for (const [from, to] of Object.entries(release.redirects ?? {})) {
    if (from === to) return `it redirects ${from} to itself`;
    if (claimOf(release, from)) return `it redirects ${from}, which is one of its pages`;
    const next = site.map(({ redirects = {} }) => (Object.hasOwn(redirects, to) ? redirects[to] : undefined));
    const target = next.find((each) => each !== undefined);
    if (target !== undefined)
      return `it redirects ${from} to ${to}, which is redirected to ${target}; name the last page`;
    if (!site.some((each) => claimOf(each, to))) return `it redirects ${from} to ${to}, which is no page of the site`;
  }
  return undefined;
}
