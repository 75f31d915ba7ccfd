import { findRoute, type RemoteIndex, type State } from '@daybook/contract/release';
import { integrity, routeOf, versionOf } from '@daybook/testing/releases';
import { expect, test } from '@jest/globals';
import { contentOf, rowOf, storedOf } from '../test/content.ts';
import { numbered } from '../test/running-site.ts';
import { inlineIndex } from './remote-index.ts';
import { Site, type SiteContent } from './site.ts';
import { historyOf } from './state.ts';

const names = ['mf-legal', 'mf-signup'];
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const legal = (...numbers: number[]) => numbers.map((number) => numbered(number));
const signup = numbered(1, 'mf-signup');

const withRow = ({ rows, releases }: SiteContent, active: string, changes: Partial<State>): SiteContent => ({
  releases,
  rows: [...rows, rowOf(9, active, changes)],
});
const rolledBack = withRow(contentOf(...legal(1, 2)), first, { action: 'rollback' });
const siteOf = (content: SiteContent) => Site.from(content, names);

test('the index has the active releases, and the remotes without one', () => {
  const { remotes, missing } = siteOf(contentOf(...legal(1, 2))).index();
  expect([remotes.length, missing]).toEqual([1, ['mf-signup']]);
  const entry = 'remoteEntry.000000000002.js';
  expect(remotes[0]).toMatchObject({
    ...{ name: 'mf-legal', version: second, entry: `/remotes/mf-legal/${second}/${entry}` },
    integrity: { [entry]: expect.stringMatching(/^sha384-/) },
    routes: [{ path: '/terms', title: 'Title of /terms', description: 'Description of /terms', frame: 'site' }],
  });
});

test('the index has the scripts and styles of a page up to 500 kB', () => {
  const file = { integrity, size: 200_000 };
  const listed = { 'a.js': file, 'b.css': file, 'c.js': file };
  const release = numbered(1, 'mf-legal', { routes: [routeOf('/terms', { files: Object.keys(listed) })] });
  const files = { ...release.files, ...listed };
  const [remote] = siteOf(contentOf({ ...release, files })).index().remotes;
  expect(remote?.routes[0]?.files).toEqual(['a.js', 'b.css']);
});

test('pages fall back to the release before the active one, if it is stored', () => {
  const content = contentOf(...legal(1, 2, 3));
  const previousIn = (each: SiteContent) => siteOf(each).index().remotes[0]?.previous?.version;
  const releases = content.releases.filter(({ version }) => version !== second);
  expect([previousIn(content), previousIn({ ...content, releases })]).toEqual([second, first]);
  // Not to one that was rolled back.
  expect(previousIn(rolledBack)).toBeUndefined();
});

test('visitors with a bucket below the share get the canary', () => {
  const site = siteOf(withRow(contentOf(...legal(1, 3, 2), signup), second, { canary: third, percent: 10 }));
  const at = (bucket?: number) => site.index(bucket).remotes[0];
  expect([site.hasCanary, at()?.version, at(9)?.version, at(10)?.version]).toEqual([true, second, third, second]);
  expect(at(9)?.previous?.version).toBe(second);
  expect([site.index(0) === site.index(9), site.index(10) === site.index()]).toEqual([true, true]);
});

test('equal indexes of two sites are one object, so that pages stay cached', () => {
  const content = contentOf(...legal(1));
  const site = siteOf(content);
  const index = site.index();
  expect(Site.from(withRow(content, first, { heldBy: 'ann' }), names, site).index()).toBe(index);
  expect(Site.from(contentOf(...legal(1, 2)), names, site).index()).not.toBe(index);
});

test('a preview shows its pages, also if another remote has them', () => {
  const moved = contentOf(numbered(2, 'mf-signup', { routes: [routeOf('/'), routeOf('/terms')] }));
  for (const { rows, releases } of [{ rows: [], releases: [] }, moved]) {
    const index = siteOf({ rows, releases: [...releases, ...legal(1).map(storedOf)] }).preview('mf-legal', first);
    expect(findRoute(index as RemoteIndex, '/terms')?.remote).toMatchObject({ name: 'mf-legal', version: first });
    expect(index?.remotes[0]).not.toHaveProperty('previous');
    expect(index?.missing).not.toContain('mf-legal');
  }
  // None of what was rolled back.
  expect(siteOf(rolledBack).preview('mf-legal', second)).toBeUndefined();
});

test('a release of a newer server is served, one that can’t be parsed is missing', () => {
  expect(siteOf(contentOf(numbered(1, 'mf-legal', { api: 1_000 }))).index().remotes).toHaveLength(1);
  const { rows, releases } = contentOf(...legal(1), signup);
  const unreadable = { ...storedOf(numbered(1)), manifest: '{' };
  const broken = siteOf({ rows, releases: [unreadable, ...releases.slice(1)] }).index();
  expect([broken.remotes.map(({ name }) => name), broken.missing]).toEqual([['mf-signup'], ['mf-legal']]);
});

test('a page has the files of its own remote only, and no texts of others', () => {
  const [own, other] = inlineIndex(siteOf(contentOf(...legal(1, 2), signup)).index(), 'mf-legal').remotes;
  expect(own).toHaveProperty('integrity');
  for (const name of ['integrity', 'previous']) expect(other).not.toHaveProperty(name);
  expect(other?.routes).toEqual([{ path: '/', title: 'Title of /', frame: 'site' }]);
});

/** Returns the rows of actions such as `+a` (activate a) and `-a` (roll back to a). */
const rowsOf = (actions: string) =>
  actions
    .split(' ')
    .map((each, index) => rowOf(index + 1, each.slice(1), { action: each[0] === '-' ? 'rollback' : 'activate' }));

test.each([
  ['+a +b +c -b', 'a', 'c'],
  ['+a +b +c -b -a', '', 'b c'],
  ['+a +b +c -a', '', 'b c'],
  ['+a +b -a +b', 'a', ''],
  ['+a +b +c +a', 'c b', ''],
])('after %s, a rollback leads to “%s”, and “%s” was rolled back', (actions, former, rolledBack) => {
  const history = historyOf(rowsOf(actions));
  expect([history.former.join(' '), [...history.rolledBack].sort().join(' ')]).toEqual([former, rolledBack]);
});
