import type { Release } from './release.ts';
import type { RegisteredPage, RegisteredRemote } from './remote-index.ts';

/** A route as releases and the remote index have it. */
type Claim = Pick<Release['routes'][number], 'path' | 'movesTo' | 'takenFrom'>;

/** A remote with what it claims of the site's paths. */
interface Claims {
  readonly name: string;
  readonly routes: readonly Claim[];
  readonly redirects?: Readonly<Record<string, string>> | undefined;
}

const claimOf = ({ routes }: Claims, path: string) => routes.find((route) => route.path === path);

/**
 * Returns the owner of each path: the first remote from which no other one takes it. If each takes it from the next, as after
 * moves in a circle and rollbacks, the first remote: a page is never a 404 because of its moves.
 */
function ownersOf(remotes: readonly Claims[]): ReadonlyMap<string, string> {
  const claims = remotes.flatMap(({ name, routes }) =>
    routes.map(({ path, takenFrom }) => ({ name, path, takenFrom })),
  );
  const owners = [...Map.groupBy(claims, ({ path }) => path)].map(([path, claimants]) => {
    const isTaken = ({ name }: { readonly name: string }) =>
      claimants.some((other) => other.name !== name && other.takenFrom === name);
    return [path, (claimants.find((each) => !isTaken(each)) ?? claimants[0])?.name ?? ''] as const;
  });
  return new Map(owners);
}

/**
 * Returns the remotes with one owner for each path: a page that another remote has taken over is left out, and a redirect
 * whose page does not exist, which would be a chain or a loop.
 *
 * @param remotes those that one visitor gets
 */
export function settlePaths(
  remotes: readonly (Omit<RegisteredRemote, 'routes'> & { readonly routes: readonly (RegisteredPage & Claim)[] })[],
): readonly RegisteredRemote[] {
  const owners = ownersOf(remotes);
  const settled = remotes.map(({ routes, ...remote }) => ({
    ...remote,
    routes: routes
      .filter(({ path }) => owners.get(path) === remote.name)
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
 * Returns why a release can't have paths that other remotes have: the remote whose page visitors get keeps a path, unless it
 * states that the page moves to the other one. A stored release may have a page that was taken over since, which stays with
 * its new owner: no move stands in the way of a rollback.
 *
 * @param others the releases that visitors get of the other remotes
 * @returns a clause for each conflict
 */
export function pathConflicts(
  release: Claims,
  others: readonly (Claims & { readonly version: string })[],
  { active, isStored = false }: PathOptions,
): readonly string[] {
  const activeClaim = (path: string) => active && claimOf(active, path);
  return others.flatMap((other) => {
    const owner = `${other.name}@${other.version}`;
    const isRedirect = (path: string) => Object.hasOwn(other.redirects ?? {}, path);
    const ofRoutes = release.routes.map(({ path, takenFrom }) => {
      const claim = claimOf(other, path);
      const takes = takenFrom === other.name;
      const isGiven = claim?.takenFrom === release.name;
      // Who gave a page away and still has it can't take it back without consent.
      const isAgreed = takes
        ? claim?.movesTo === release.name || activeClaim(path)?.takenFrom === other.name || (isStored && isGiven)
        : isGiven && (isStored || activeClaim(path) !== undefined);
      if (claim && !isAgreed)
        return takes
          ? `its route ${path} is still one of ${owner}, which does not state that it moves: write movesTo: '${release.name}' at that route of ${other.name}, and release ${other.name} first`
          : `its route ${path} belongs to ${owner}`;
      return isRedirect(path) ? `its route ${path} is a redirect of ${owner}` : undefined;
    });
    const ofRedirects = Object.keys(release.redirects ?? {}).map((path) => {
      if (claimOf(other, path)) return `it redirects ${path}, which belongs to ${owner}`;
      return isRedirect(path) ? `it redirects ${path}, as ${owner} does` : undefined;
    });
    return [...ofRoutes, ...ofRedirects].filter((conflict) => conflict !== undefined);
  });
}

/**
 * Returns why redirects of a release can't lead where they do: to no page of the site, or to one that is redirected itself.
 *
 * @param others the releases that other remotes serve
 * @returns a clause for each redirect that can't
 */
export function redirectProblems(release: Claims, others: readonly Claims[]): readonly string[] {
  const site = [release, ...others];
  const redirectFrom = (path: string) =>
    site.map(({ redirects = {} }) => (Object.hasOwn(redirects, path) ? redirects[path] : undefined)).find(Boolean);
  const problemOf = ([from, to]: readonly [from: string, to: string]) => {
    if (from === to) return `it redirects ${from} to itself`;
    if (claimOf(release, from)) return `it redirects ${from}, which is one of its pages`;
    const next = redirectFrom(to);
    if (next !== undefined) return `it redirects ${from} to ${to}, which is redirected to ${next}; name the last page`;
    return site.some((each) => claimOf(each, to))
      ? undefined
      : `it redirects ${from} to ${to}, which is no page of the site`;
  };
  return Object.entries(release.redirects ?? {})
    .map(problemOf)
    .filter((problem) => problem !== undefined);
}
