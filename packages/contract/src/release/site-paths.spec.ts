import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { findRoute, redirectOf } from './remote-index.ts';
import { pathConflicts, redirectProblems, settlePaths } from './site-paths.ts';

type Route = { path: string; movesTo?: string; takenFrom?: string };
const remoteOf = (name: string, routes: readonly (string | Route)[], redirects?: Record<string, string>) => ({
  name,
  version: `1.0.0-of-${name}`,
  entry: `/remotes/${name}/remoteEntry.js`,
  routes: routes.map((route) => ({
    title: 'Title',
    frame: 'site' as const,
    ...(typeof route === 'string' ? { path: route } : route),
  })),
  ...(redirects && { redirects }),
});
const [legal, help] = ['mf-legal', 'mf-help'] as const;
const moves = { path: '/faq', movesTo: help };
const taken = { path: '/faq', takenFrom: legal };

/** Who has which page, and what is redirected. */
const settled = (...remotes: ReturnType<typeof remoteOf>[]) =>
  settlePaths(remotes).map(({ name, routes, redirects }) => [name, routes.map(({ path }) => path), redirects]);

describe('a page that moves from mf-legal to mf-help', () => {
  const owners = (inLegal: readonly (string | Route)[], inHelp: readonly (string | Route)[]) =>
    settlePaths([remoteOf(legal, ['/terms', ...inLegal]), remoteOf(help, ['/help', ...inHelp])])
      .filter(({ routes }) => routes.some(({ path }) => path === '/faq'))
      .map(({ name }) => name);

  test.each<[string, (string | Route)[], (string | Route)[], string]>([
    ['before', ['/faq'], [], legal],
    ['when mf-legal has stated it', [moves], [], legal],
    ['when mf-help has taken it over', [moves], [taken], help],
    ['when mf-legal has removed it', [], [taken], help],
    ['when mf-legal is rolled back to before it stated it', ['/faq'], [taken], help],
    ['when mf-help is rolled back before mf-legal has removed it', [moves], [], legal],
    ['when each takes it from the other', [{ path: '/faq', takenFrom: help }], [taken], legal],
  ])('has one owner %s', (_when, inLegal, inHelp, owner) => {
    expect(owners(inLegal, inHelp)).toEqual([owner]);
  });

  test('has an owner after it moved in a circle of remotes that were rolled back', () => {
    const circle = [legal, help, 'mf-jobs'].map((name, index, all) =>
      remoteOf(name, ['/own', { path: '/faq', takenFrom: `${all.at(index - 1)}` }]),
    );
    expect(settled(...circle).map(([, paths]) => paths)).toEqual([['/own', '/faq'], [], []]);
  });

  test('shows nobody who consented to it', () => {
    const [first] = settlePaths([remoteOf(legal, [moves])]);
    expect(first?.routes).toEqual([{ path: '/faq', title: 'Title', frame: 'site' }]);
  });

  const conflict = (release: Route | string, other: Route | string, options: object = {}) =>
    pathConflicts(remoteOf(help, [release]), [remoteOf(legal, [other])], options)[0];
  const running = { active: remoteOf(help, [taken]) };

  test.each<[string, string | undefined, string | undefined]>([
    ['with consent', conflict(taken, moves), undefined],
    ['of a page that is gone there', conflict(taken, '/terms'), undefined],
    ['again, after mf-legal was rolled back', conflict(taken, '/faq', running), undefined],
    ['without consent', conflict(taken, '/faq'), "write movesTo: 'mf-help' at that route of mf-legal"],
    ['without saying so', conflict('/faq', moves), 'its route /faq belongs to mf-legal@'],
    [
      'back without consent by who gave it away and still has it',
      conflict(
        taken,
        { path: '/faq', takenFrom: help },
        { active: remoteOf(help, [{ path: '/faq', movesTo: legal }]) },
      ),
      "write movesTo: 'mf-help' at that route of mf-legal",
    ],
    ['back by a rollback', conflict(taken, { path: '/faq', takenFrom: help }, { isStored: true }), undefined],
    ['with consent to another', conflict(taken, { ...moves, movesTo: 'mf-jobs' }), 'does not state that it moves'],
  ])('is taken over %s', (_how, found, expected) => {
    expect(found).toEqual(expected === undefined ? undefined : expect.stringContaining(expected));
  });

  test.each([
    ['a rollback of mf-legal to before the move', { isStored: true }, undefined],
    ['a release that still has it', { active: remoteOf(legal, ['/faq']) }, undefined],
    ['a new page of mf-legal with the path of one it never had', {}, 'its route /faq belongs to mf-help@'],
  ])('allows %s: %p', (_what, options, expected) => {
    const [found] = pathConflicts(remoteOf(legal, ['/faq']), [remoteOf(help, [taken])], options);
    expect(found).toEqual(expected === undefined ? undefined : expect.stringContaining(expected));
  });
});

describe('a redirect', () => {
  const to = (redirects: Record<string, string>, ...others: ReturnType<typeof remoteOf>[]) =>
    redirectProblems(remoteOf(legal, ['/new', '/terms'], redirects), others)[0];

  test.each<[string, Record<string, string>, string | undefined]>([
    ['to a page', { '/old': '/new' }, undefined],
    ['to a page of another remote', { '/old': '/help' }, undefined],
    ['to nowhere', { '/old': '/gone' }, 'it redirects /old to /gone, which is no page of the site'],
    ['to itself', { '/old': '/old' }, 'it redirects /old to itself'],
    ['from one of its pages', { '/terms': '/new' }, 'it redirects /terms, which is one of its pages'],
    ['in a chain', { '/a': '/b', '/b': '/new' }, 'it redirects /a to /b, which is redirected to /new'],
    ['in a loop', { '/a': '/b', '/b': '/a' }, 'it redirects /a to /b, which is redirected to /a'],
    ['in a chain with another remote', { '/a': '/old-help' }, 'which is redirected to /help; name the last page'],
    ['to a name of Object.prototype', { '/old': '/constructor' }, 'which is no page of the site'],
  ])('%s is accepted or explained', (_what, redirects, problem) => {
    const found = to(redirects, remoteOf(help, ['/help'], { '/old-help': '/help' }));
    expect(found).toEqual(problem === undefined ? undefined : expect.stringContaining(problem));
  });

  test('stays off the pages and redirects of other remotes, in both orders', () => {
    const redirects = remoteOf(legal, ['/new'], { '/help': '/new' });
    const conflict = (release: typeof redirects, other: typeof redirects) => pathConflicts(release, [other], {})[0];
    expect(conflict(redirects, remoteOf(help, ['/help']))).toContain('redirects /help, which belongs to');
    expect(conflict(remoteOf(help, ['/help']), redirects)).toContain('/help is a redirect of mf-legal@');
    const same = remoteOf(help, ['/x'], { '/help': '/x' });
    expect(conflict(same, redirects)).toContain('redirects /help, as mf-legal@');
  });

  test('whose page went away later, or came back, is left out: no visitor runs into a chain or loop', () => {
    const renamed = remoteOf(legal, ['/new'], { '/old': '/new', '/gone': '/help', '/a': '/b' });
    expect(settled(renamed, remoteOf(help, ['/faq'], { '/b': '/a' }))).toEqual([
      [legal, ['/new'], { '/old': '/new' }],
      [help, ['/faq'], undefined],
    ]);
  });
});

describe('the paths of any site', () => {
  const names = [legal, help, 'mf-jobs'] as const;
  const pathOf = fc.constantFrom('/a', '/b', '/c', '/d', '/e');
  const remoteNamed = fc.constantFrom(...names);
  const route = fc.record(
    { path: pathOf, movesTo: remoteNamed, takenFrom: remoteNamed },
    { requiredKeys: ['path'] },
  ) as fc.Arbitrary<Route>;
  const releaseNamed = (name: string) =>
    fc
      .record({
        routes: fc.uniqueArray(route, { selector: ({ path }) => path, minLength: 1 }),
        redirects: fc.dictionary(pathOf, pathOf),
      })
      .map(({ routes, redirects }) => remoteOf(name, routes, redirects));

  /** Follows redirects as browsers do; returns the paths on the way, at most ten. */
  const follow = (index: Parameters<typeof redirectOf>[0], from: string) => {
    const way = [from];
    for (let at = redirectOf(index, from); at !== undefined && way.length < 10; at = redirectOf(index, at))
      way.push(at);
    return way;
  };

  test('have one owner each, and each redirect leads to a page at once: no chain and no loop, whatever remotes claim', () => {
    fc.assert(
      fc.property(fc.tuple(...names.map(releaseNamed)), (remotes) => {
        const index = { remotes: settlePaths(remotes), missing: [] };
        for (const path of new Set(remotes.flatMap(({ routes }) => routes.map((each) => each.path)))) {
          const owners = index.remotes.filter(({ routes }) => routes.some((each) => each.path === path));
          expect(owners).toHaveLength(1);
        }
        for (const from of ['/a', '/b', '/c', '/d', '/e']) {
          const way = follow(index, from);
          expect(way.length).toBeLessThanOrEqual(2);
          if (way.length > 1)
            expect([findRoute(index, from), findRoute(index, `${way[1]}`)]).toEqual([undefined, expect.anything()]);
        }
      }),
    );
  });

  test('of releases that were accepted one after the other are all served, and every redirect of the last one works', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(...names.map(releaseNamed)), { maxLength: 12 }), (published) => {
        const active = new Map<string, ReturnType<typeof remoteOf>>();
        for (const release of published) {
          const others = [...active.values()].filter(({ name }) => name !== release.name);
          const options = { active: active.get(release.name) };
          if (pathConflicts(release, others, options).length + redirectProblems(release, others).length > 0) continue;
          active.set(release.name, release);
          const index = { remotes: settlePaths([...active.values()]), missing: [] };
          for (const { path } of [...active.values()].flatMap(({ routes }) => routes))
            expect(index.remotes.filter(({ routes }) => routes.some((each) => each.path === path))).toHaveLength(1);
          for (const [from, to] of Object.entries(release.redirects ?? {}))
            expect(follow(index, from)).toEqual([from, to]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
