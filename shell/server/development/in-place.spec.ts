import { utimesSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '@daybook/contract/manifest';
import { eventually } from '@daybook/testing/eventually';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { createTemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterAll, expect, jest, test } from '@jest/globals';
import { numbered, startRunningSite, twoRemotes } from '../test/running-site.ts';
import { InPlaceBuilds } from './in-place.ts';

const build = createTemporaryBuilds();
afterAll(() => build.remove());
const folder = build.folderOf('mf-legal');
const variables = { DEVELOPMENT: 'true', DEVELOPMENT_BUILDS: JSON.stringify({ 'mf-legal': folder }) };

test('builds are served in place, and pages reload after the next one', async () => {
  const routes = [routeOf('/terms'), routeOf('/draft')];
  build.release(numbered(4, 'mf-legal', { routes }), 'draft');
  const published = await startRunningSite({ releases: twoRemotes });
  const { url, client } = await startRunningSite({ variables, database: published.database });
  expect([await client.versionOf(), await client.versionOf('mf-signup')]).toEqual([versionOf(4), versionOf(1)]);
  expect((await send(url, '/draft')).text).toContain('src="/_development/reload.js?version=');
  const entry = (number: number) => send(url, `/remotes/mf-legal/${versionOf(number)}/${numbered(number).entry}`);
  expect((await entry(4)).text).toBe('draft');
  const state = async () => JSON.parse((await send(url, '/_development/state')).text);
  const before = await state();
  build.release(numbered(5), 'built again');
  await eventually(async () => expect((await state()).version).not.toBe(before.version));
  expect((await entry(5)).text).toBe('built again');
  expect(await published.client.versionOf()).toBe(versionOf(1));
});

test('a broken build, or one in progress, leaves the last good one', () => {
  const report = jest.fn<(problem: string) => void>();
  const first = build.release(numbered(1), 'first');
  const builds = new InPlaceBuilds(new Map([['mf-legal', folder]]), report);
  const stored = { rows: [], releases: [] };
  const before = builds.add(stored);
  build.write('mf-legal/release.json', '{');
  utimesSync(path.join(folder, 'release.json'), 1, 1);
  expect(builds.add(stored)).toBe(before);
  expect(report).toHaveBeenCalledWith('mf-legal: release.json is not JSON: {');
  const next = build.release(numbered(2), 'next');
  build.write(`mf-legal/${next.entry}`, 'the build after it');
  expect(builds.add(stored)).toBe(before);
  build.release(next, 'next');
  // The former one stays for open pages.
  expect(builds.add(stored).releases.map(({ version }) => version)).toEqual([versionOf(2), versionOf(1)]);
  expect(String(builds.fileOf(hashOf(first.files[first.entry]?.integrity ?? '')))).toBe('first');
});

test('a site in production has no scripts for development', async () => {
  const prepare = ({ write }: typeof build) => write('shell/components.html', 'components');
  const { url } = await startRunningSite({ prepare, releases: twoRemotes });
  expect((await send(url, '/terms')).text).not.toContain('/_development');
  for (const path of ['/_development/reload.js', '/_development/state', '/_components'])
    expect((await send(url, path)).status).toBe(404);
});
