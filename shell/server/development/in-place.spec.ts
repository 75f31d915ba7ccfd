import { utimesSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '@daybook/contract/manifest';
import { pageDataElementId } from '@daybook/contract/page';
import { eventually } from '@daybook/testing/eventually';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { createTemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterAll, expect, jest, test } from '@jest/globals';
import { numbered, startRunningSite, twoRemotes } from '../test/running-site.ts';
import { InPlaceBuilds } from './in-place.ts';

const build = createTemporaryBuilds();
afterAll(() => build.remove());
const variables = {
  DEVELOPMENT: 'true',
  DEVELOPMENT_BUILDS: JSON.stringify({ 'mf-legal': build.folderOf('mf-legal') }),
};
build.release(numbered(1), 'built');

const stateOf = async (url: string) => JSON.parse((await send(url, '/_development/state')).text);
const entry = (number: number) => `/remotes/mf-legal/${versionOf(number)}/${numbered(number).entry}`;

test('pages reload themselves after a build, and nothing is cached', async () => {
  const { url, site } = await startRunningSite({ variables });
  site.write('shell/components.html', 'components');
  expect((await send(url, '/_components')).text).toBe('components');
  const script = /src="(\/_development\/reload.js\?version=(.*?))"/;
  const [, , version] = script.exec((await send(url, '/terms')).text) ?? [];
  expect(await stateOf(url)).toEqual({ version, errors: '' });
  build.release(numbered(2), 'built again');
  await eventually(async () => expect((await stateOf(url)).version).not.toBe(version));
  expect(await send(url, entry(2))).toMatchObject({ status: 200, text: 'built again' });
  expect((await send(url, '/assets/shell.0a1b2c3d.js')).headers['cache-control']).toBeUndefined();
});

test('a broken build leaves the last good one, and is reported', () => {
  const report = jest.fn<(problem: string) => void>();
  const builds = new InPlaceBuilds(new Map([['mf-legal', build.folderOf('mf-legal')]]), report);
  const first = builds.add({ rows: [], releases: [] });
  build.write('mf-legal/release.json', '{');
  utimesSync(path.join(build.folderOf('mf-legal'), 'release.json'), 1, 1);
  expect(builds.add({ rows: [], releases: [] }).releases).toEqual(first.releases);
  expect(report).toHaveBeenCalledWith('mf-legal: release.json is not JSON: {');
});

test('a build in progress is not taken, and the former one stays for open pages', () => {
  const builds = new InPlaceBuilds(new Map([['mf-legal', build.folderOf('mf-legal')]]), jest.fn());
  const first = build.release(numbered(5), 'first');
  const stored = { rows: [], releases: [] };
  const before = builds.add(stored);
  const next = build.release(numbered(6), 'next');
  build.write(`mf-legal/${next.entry}`, 'the build after it');
  expect(builds.add(stored)).toBe(before);
  build.release(next, 'next');
  const { rows, releases } = builds.add(stored);
  expect([rows.map(({ active }) => active), releases.map(({ version }) => version)]).toEqual([
    [versionOf(6)],
    [versionOf(6), versionOf(5)],
  ]);
  expect(String(builds.fileOf(hashOf(first.files[first.entry]?.integrity ?? '')))).toBe('first');
});

test('builds are served in place, beside the stored releases of other remotes', async () => {
  build.release(numbered(4, 'mf-legal', { routes: [routeOf('/terms'), routeOf('/draft')] }), 'draft');
  const published = await startRunningSite({ releases: twoRemotes });
  const { url, client } = await startRunningSite({ variables, database: published.database });
  expect([await client.versionOf(), await client.versionOf('mf-signup')]).toEqual([versionOf(4), versionOf(1)]);
  expect([(await send(url, '/draft')).status, (await send(url, '/')).status]).toEqual([200, 200]);
  expect([(await send(url, entry(4))).text, await published.client.versionOf()]).toEqual(['draft', versionOf(1)]);
});

test('a site in production has no scripts for development', async () => {
  const prepare = ({ write }: typeof build) => write('shell/components.html', 'components');
  const { url } = await startRunningSite({ prepare, releases: twoRemotes });
  const { text } = await send(url, '/terms');
  expect(text).toContain(pageDataElementId);
  expect(text).not.toContain('/_development');
  for (const path of ['/_development/reload.js', '/_development/state', '/_components'])
    expect((await send(url, path)).status).toBe(404);
});
