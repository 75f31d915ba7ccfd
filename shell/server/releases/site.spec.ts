import { hashOf } from '@daybook/contract/manifest';
import { findRoute, type Release, type RemoteIndex, redirectOf } from '@daybook/contract/release';
import { integrity, releaseOf, routeOf, versionOf } from '@daybook/testing/releases';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { contentOf, rowOf, storedOf } from '../test/content.ts';
import { numbered } from '../test/running-site.ts';
import { indexOf, inlineIndex, register } from './remote-index.ts';
import { Site, type SiteContent, shellName } from './site.ts';

const names = ['mf-legal', 'mf-signup'];
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const legal = (...numbers: number[]) => numbers.map((number) => numbered(number));
const signup = numbered(1, 'mf-signup');

const siteOf = (content: SiteContent) => Site.from(content, names);
const versionsIn = ({ remotes }: RemoteIndex) => remotes.map(({ name, version }) => `${name} ${version}`);

const canaryOf = (percent: number, ...releases: readonly Release[]) => {
  const content = contentOf(...releases);
  return { ...content, rows: [...content.rows, rowOf(9, second, { canary: third, percent })] };
};

test('the index has the active releases, and the remotes without one', () => {
  const { remotes, missing } = siteOf(contentOf(...legal(1, 2))).index();
  expect(versionsIn({ remotes, missing })).toEqual([`mf-legal ${second}`]);
  expect(missing).toEqual(['mf-signup']);
  expect(remotes[0]).toMatchObject({
    entry: `/remotes/mf-legal/${second}/remoteEntry.000000000002.js`,
    integrity: { 'remoteEntry.000000000002.js': expect.stringMatching(/^sha384-/) },
    routes: [{ path: '/terms', title: 'Title of /terms', description: 'Description of /terms', frame: 'site' }],
  });
});

test('pages fall back to the release before the active one, if it is stored', () => {
  const content = contentOf(...legal(1, 2, 3));
  const previousIn = (each: SiteContent) => siteOf(each).index().remotes[0]?.previous?.version;
  expect(previousIn(content)).toBe(second);
  expect(previousIn({ ...content, releases: content.releases.filter(({ version }) => version !== second) })).toBe(
    first,
  );
});

test('pages do not fall back to a release that was rolled back', () => {
  const content = contentOf(...legal(1, 2));
  const rows = [...content.rows, rowOf(3, first, { action: 'rollback' })];
  expect(siteOf({ ...content, rows }).index().remotes[0]).not.toHaveProperty('previous');
});

test('visitors with a bucket below the share get the canary, which falls back to the active release', () => {
  const site = siteOf(canaryOf(10, ...legal(1, 3, 2), signup));
  const at = (bucket?: number) => site.index(bucket).remotes[0];
  expect([site.hasCanary, at()?.version, at(9)?.version, at(10)?.version]).toEqual([true, second, third, second]);
  expect(at(9)?.previous?.version).toBe(second);
  expect([site.index(0) === site.index(9), site.index(10) === site.index()]).toEqual([true, true]);
});

test('equal indexes of two sites are one object, so that pages stay cached', () => {
  const content = contentOf(...legal(1));
  const site = siteOf(content);
  const index = site.index();
  const held = { ...content, rows: [...content.rows, rowOf(2, first, { action: 'hold', heldBy: 'ann' })] };
  expect(Site.from(held, names, site).index()).toBe(index);
  expect(Site.from(contentOf(...legal(1, 2)), names, site).index()).not.toBe(index);
});

test('a preview has the release instead of the active one, without a fallback', () => {
  const index = siteOf(contentOf(...legal(1, 2), signup)).preview('mf-legal', first);
  expect(index?.preview).toBe(`mf-legal@${first}`);
  expect(versionsIn(index as RemoteIndex)).toEqual([`mf-legal ${first}`, `mf-signup ${first}`]);
  expect(index?.remotes[0]).not.toHaveProperty('previous');
});

test('a preview of a remote without a release shows its pages', () => {
  const content = { rows: [], releases: legal(1).map(storedOf) };
  expect(siteOf(content).preview('mf-legal', first)).toMatchObject({
    remotes: [{ version: first }],
    missing: ['mf-signup'],
  });
});

test('a preview shows its page even if another remote has it by now', () => {
  const moved = numbered(2, 'mf-signup', { routes: [routeOf('/'), routeOf('/terms')] });
  const content = contentOf(moved);
  const index = siteOf({ ...content, releases: [...content.releases, ...legal(1).map(storedOf)] }).preview(
    'mf-legal',
    first,
  );
  expect(findRoute(index as RemoteIndex, '/terms')?.remote.name).toBe('mf-legal');
});

test.each([
  ['mf-legal', third],
  ['mf-nobody', first],
  ['__proto__', 'constructor'],
])('there is no preview of %s %s', (remote, version) => {
  expect(siteOf(contentOf(...legal(1))).preview(remote, version)).toBeUndefined();
});

test('there is no preview of a release that was rolled back', () => {
  const content = contentOf(...legal(1, 2));
  const rows = [...content.rows, rowOf(3, first, { action: 'rollback' })];
  expect(siteOf({ ...content, rows }).preview('mf-legal', second)).toBeUndefined();
});

test('the files of the active release, the canary and the previous one are served', () => {
  const hashed = (number: number) =>
    numbered(number, 'mf-legal', {
      entry: 'a.js',
      files: { 'a.js': { size: 1, integrity: `sha384-${`${number}`.repeat(64)}` } },
    });
  const content = canaryOf(10, hashed(4), hashed(1), hashed(3), hashed(2));
  const rows = content.rows.filter(({ active }) => active !== third);
  const served = siteOf({ ...content, rows }).servedHashes('mf-legal');
  expect(served).toEqual({ active: ['2'.repeat(64), '3'.repeat(64)], previous: ['1'.repeat(64)] });
});

test('a release that a newer server took is served', () => {
  expect(siteOf(contentOf(numbered(1, 'mf-legal', { api: 1_000 }))).index().remotes).toHaveLength(1);
});

test('a release that can’t be parsed leaves the others as they are', () => {
  const content = contentOf(...legal(1), signup);
  const releases = [...content.releases.slice(1), { ...storedOf(numbered(1)), manifest: '{' }];
  expect(siteOf({ ...content, releases }).index()).toMatchObject({
    remotes: [{ name: 'mf-signup' }],
    missing: ['mf-legal'],
  });
});

test('files of all stored versions of the shell are found', () => {
  const shell = (name: string) => ({
    ...{ remote: shellName, version: name, storedAt: '' },
    manifest: JSON.stringify({ files: { [`${name}.js`]: { integrity, size: 1 } } }),
  });
  const site = siteOf({ rows: [], releases: [shell('old'), shell('new')] });
  expect([site.shellFile('old.js'), site.shellFile('new.js'), site.shellFile('constructor')]).toEqual([
    ...[hashOf(integrity), hashOf(integrity)],
    undefined,
  ]);
});

test('a page has the files of its own remote only, and no texts of others', () => {
  const index = siteOf(contentOf(...legal(1, 2), signup)).index();
  const [own, other] = inlineIndex(index, 'mf-legal').remotes;
  expect(own).toHaveProperty('integrity');
  for (const name of ['integrity', 'previous']) expect(other).not.toHaveProperty(name);
  expect(other?.routes).toEqual([{ path: '/', title: 'Title of /', frame: 'site' }]);
});

test('browsers download the files of a page ahead up to 500 kB', () => {
  const file = (size: number) => ({ integrity, size });
  const files = { 'a.css': file(400_000), 'b.js': file(100_000), 'c.js': file(1), 'd.svg': file(1) };
  const release = releaseOf('mf-legal', { files, routes: [routeOf('/terms', { files: Object.keys(files) })] });
  expect(register(release).routes[0]?.files).toEqual(['a.css', 'b.js']);
});

test('whatever remotes claim, each page has one owner, and each redirect leads to a page at once', () => {
  const paths = ['/a', '/b', '/c', '/d'];
  const path = fc.constantFrom(...paths);
  const remoteNamed = (name: string) =>
    fc
      .record({ claimed: fc.uniqueArray(path, { minLength: 1 }), redirects: fc.dictionary(path, path) })
      .map(({ claimed, redirects }) =>
        register(releaseOf(name, { routes: claimed.map((each) => routeOf(each)), redirects })),
      );
  fc.assert(
    fc.property(fc.tuple(...['mf-a', 'mf-b', 'mf-c'].map(remoteNamed)), (remotes) => {
      const index = indexOf(remotes, []);
      for (const each of paths) {
        const claimed = remotes.some(({ routes }) => routes.some((route) => route.path === each));
        const owners = index.remotes.filter(({ routes }) => routes.some((route) => route.path === each));
        expect(owners).toHaveLength(claimed ? 1 : 0);
        const target = redirectOf(index, each);
        if (target !== undefined) expect([claimed, findRoute(index, target)]).toEqual([false, expect.anything()]);
      }
    }),
  );
});
