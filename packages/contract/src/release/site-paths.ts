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
  // Of two that take it from each other, such as after a page moved back and a rollback, the first one has it.
  const isTaken = ({ path, takenFrom }: Claim, owner: string, index: number) =>
    remotes.some(
      (other, another) =>
        other.name !== owner &&
        claimOf(other, path)?.takenFrom === owner &&
        (takenFrom !== other.name || another < index),
    );
  const settled = remotes.map(({ routes, ...remote }, index) => ({
    ...remote,
    routes: routes
      .filter((route) => !isTaken(route, remote.name, index))
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
  const running = (path: string) => active && claimOf(active, path);
  for (const other of others) {
    const owner = `${other.name}@${other.version}`;
    for (const { path, takenFrom } of release.routes) {
      const claim = claimOf(other, path);
      const takes = takenFrom === other.name;
      const isGiven = claim?.takenFrom === release.name;
      // Who gave a page away and still has it can't take it back without consent.
      const isAgreed = takes
        ? claim?.movesTo === release.name || running(path)?.takenFrom === other.name || (isStored && isGiven)
        : isGiven && (isStored || running(path) !== undefined);
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
