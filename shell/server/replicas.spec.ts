import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { Line } from './test/line.ts';
import {
  connectAsOwner,
  newDatabase,
  numbered,
  type RunningSite,
  type Sent,
  sentOf,
  startRunningSite,
  tokens,
  twoRemotes,
} from './test/running-site.ts';

// Servers with folders of their own on one database, which is reached by a line that can be cut.

const [first, second] = [versionOf(1), versionOf(2)];
const legal = (number: number, files?: Sent['files']) => sentOf(numbered(number), files);

let database: string;
let line: Line;
beforeEach(async () => {
  database = await newDatabase();
  line = await Line.to(database);
});
const lines: Line[] = [];
afterEach(() => void lines.push(line));
afterAll(() => {
  for (const each of lines) each.close();
});

const start = (variables: Record<string, string> = {}, releases: readonly Sent[] = []) =>
  startRunningSite({ database: line.url, variables, releases });
const statusOf = async ({ url }: RunningSite, where = '/terms') => (await send(url, where)).status;
const readyOf = async ({ url }: RunningSite) => JSON.parse((await send(url, '/readyz')).text);
const serves = (site: RunningSite, version: string) =>
  eventually(async () => expect(await site.client.versionOf()).toBe(version));
const down = (site: RunningSite) =>
  eventually(async () => expect(await readyOf(site)).toHaveProperty('releaseRegistryUnavailableSince'));

test('a release, a rollback and a hold at one server are those of all servers', async () => {
  const [one, other] = [await start({}, twoRemotes), await start()];
  await one.client.publish(legal(2));
  await serves(other, second);
  await one.client.change({ action: 'rollback', remote: 'mf-legal' });
  await serves(other, first);
  await other.client.change({ action: 'hold', remote: 'mf-legal' });
  expect((await one.client.publish(legal(3))).json.outcome).toBe('held');
  expect(await (await start()).client.versionOf()).toBe(first);
});

test('files that another server has just stored are served at once, many at the same time', async () => {
  const [one, other] = [await start({}, twoRemotes), await start()];
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.js`, `content ${index}`]));
  for (const number of [2, 3]) {
    const { entry } = numbered(number);
    await one.client.publish(legal(number, { [entry]: 'entry', ...files }));
    const statuses = Object.keys(files).map((name) =>
      statusOf(other, `/remotes/mf-legal/${versionOf(number)}/${name}`),
    );
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
  }
});

test('a preview that another server has just stored is shown at once', async () => {
  const [one, other] = [await start({}, twoRemotes), await start()];
  const { json } = await one.client.publish(legal(2), '?keep=true');
  expect(await statusOf(other, json.preview)).toBe(303);
  expect(await other.client.versionOf('mf-legal', { Cookie: `preview=mf-legal@${second}` })).toBe(second);
});

test('without the database, pages and files are served, and the state says so', async () => {
  const site = await start({}, twoRemotes);
  line.cut();
  await down(site);
  expect(await readyOf(site)).toMatchObject({ status: 'ready' });
  for (const where of [
    '/terms',
    '/registry.json',
    `/remotes/mf-legal/${first}/remoteEntry.000000000001.js`,
    '/healthz',
  ])
    expect(await statusOf(site, where)).toBe(200);
  const Authorization = `Basic ${Buffer.from(`ann:${tokens.operator}`).toString('base64')}`;
  const { status, text } = await send(site.url, '/_releases', { headers: { Authorization } });
  expect([status, text]).toEqual([200, expect.stringContaining('Releases can&#39;t be read or changed: the database')]);
});

test('without the database, publishing and changes are a 503 that names it', async () => {
  const site = await start({}, twoRemotes);
  line.cut();
  for (const response of [
    await site.client.publish(legal(2)),
    await site.client.change({ action: 'hold', remote: 'mf-legal' }),
    await site.client.read<object>('/mf-legal'),
  ]) {
    expect([response.status, response.json.errors]).toEqual([
      503,
      [expect.stringMatching(/^Releases can't be read or changed: the database/)],
    ]);
  }
  line.mend();
  await eventually(async () => expect((await site.client.publish(legal(2))).status).toBe(201));
  await eventually(async () => expect(await readyOf(site)).not.toHaveProperty('releaseRegistryUnavailableSince'));
});

test('a server starts without the database with what it last had', async () => {
  const before = await start({}, twoRemotes);
  const RELEASES_FOLDER = `${before.site.folder}-kept`;
  const kept = await start({ RELEASES_FOLDER });
  await serves(kept, first);
  await kept.stop();
  line.cut();
  const restarted = await start({ RELEASES_FOLDER });
  expect([await statusOf(restarted), (await readyOf(restarted)).status]).toEqual([200, 'ready']);
  expect(await statusOf(restarted, `/remotes/mf-legal/${first}/remoteEntry.000000000001.js`)).toBe(200);
  line.mend();
  await eventually(async () => expect((await restarted.client.publish(legal(2))).status).toBe(201));
  rmSync(RELEASES_FOLDER, { recursive: true });
});

test('a new server without the database is not ready', async () => {
  line.cut();
  const site = await start();
  expect([await statusOf(site, '/readyz'), await statusOf(site)]).toEqual([503, 503]);
  line.mend();
  await eventually(async () => expect(await statusOf(site, '/readyz')).toBe(200));
});

test('a database that no longer responds counts as down', async () => {
  const site = await start({}, twoRemotes);
  line.stall();
  await down(site);
  expect(await statusOf(site)).toBe(200);
  line.mend();
  await eventually(async () => expect(await readyOf(site)).not.toHaveProperty('releaseRegistryUnavailableSince'));
});

test('a server that waits for files of one remote rolls another one back at once', async () => {
  const [one, other] = [await start({}, [...twoRemotes, sentOf(numbered(2, 'mf-signup'))]), await start()];
  await one.client.publish(legal(2), '?keep=true');
  const owner = await connectAsOwner(database);
  await owner.query('BEGIN; LOCK TABLE releases.blob');
  await one.client.change({ action: 'activate', releases: [`mf-legal@${second}`] });
  await eventually(async () => expect((await other.client.show()).state?.active).toBe(second));
  const { status } = await other.client.change({ action: 'rollback', remote: 'mf-signup' });
  expect([status, await other.client.versionOf('mf-signup')]).toEqual([201, first]);
  expect([await other.client.versionOf(), await statusOf(other)]).toEqual([first, 200]);
  await owner.end();
  await serves(other, second);
});

test('damaged and deleted files of a server are fetched again after a restart', async () => {
  const before = await start({}, twoRemotes);
  const folder = `${before.site.folder}-cache`;
  const kept = await start({ RELEASES_FOLDER: folder });
  await serves(kept, first);
  await kept.stop();
  const [one = '', ...others] = readdirSync(path.join(folder, 'cache'));
  writeFileSync(path.join(folder, 'cache', one), 'damaged');
  for (const other of others) rmSync(path.join(folder, 'cache', other));
  const restarted = await start({ RELEASES_FOLDER: folder });
  const { text } = await send(restarted.url, `/remotes/mf-legal/${first}/remoteEntry.000000000001.js`);
  expect([text, await statusOf(restarted)]).toEqual([`entry of mf-legal@${first}`, 200]);
  rmSync(folder, { recursive: true });
});

test('a server whose folder can’t be written publishes and serves', async () => {
  const site = await start({ RELEASES_FOLDER: '/dev/null/releases' }, twoRemotes);
  expect((await site.client.publish(legal(2))).json.outcome).toBe('active');
  const file = await send(site.url, `/remotes/mf-legal/${second}/remoteEntry.000000000002.js`);
  expect([file.text, await statusOf(site)]).toEqual([`entry of mf-legal@${second}`, 200]);
});

test('files of another version of the shell are served by every server', async () => {
  const [one, other] = [await start({}, twoRemotes), await start()];
  const newer = await startRunningSite({
    database: line.url,
    prepare: ({ folder, write }) => {
      write('shell/shell.99999999.js', 'newer script');
      const manifest = `${folder}/shell/shell.json`;
      writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('1.0.0-000000000001', '1.0.0-000000000002'));
    },
  });
  for (const site of [one, other])
    await eventually(async () => expect((await send(site.url, '/assets/shell.99999999.js')).text).toBe('newer script'));
  expect((await send(newer.url, '/assets/shell.0a1b2c3d.js')).text).toBe('shell script');
  await newer.stop();
  expect((await send(one.url, '/assets/shell.99999999.js')).text).toBe('newer script');
});

test('a page moves to another remote without a moment of 404, on every server', async () => {
  const signup = (number: number, ...paths: string[]) =>
    sentOf(numbered(number, 'mf-signup', { routes: paths.map((each) => routeOf(each)) }));
  const withFaq = sentOf(numbered(1, 'mf-legal', { routes: [routeOf('/terms'), routeOf('/faq')] }));
  const sites = [await start({}, [withFaq, signup(1, '/')]), await start()] as const;
  for (const sent of [legal(2), signup(2, '/', '/faq')]) await sites[0].client.publish(sent, '?keep=true');
  const statuses = new Set<number>();
  let isOver = false;
  const visits = sites.map(async (site) => {
    while (!isOver) statuses.add(await statusOf(site, '/faq'));
  });
  for (const version of [second, first, second, first]) {
    const releases = [`mf-legal@${version}`, `mf-signup@${version}`];
    expect((await sites[0].client.change({ action: 'activate', releases })).status).toBe(201);
    for (const site of sites)
      await eventually(async () => {
        const remotes = await Promise.all(['mf-legal', 'mf-signup'].map((name) => site.client.versionOf(name)));
        expect(remotes).toEqual([version, version]);
      });
  }
  isOver = true;
  await Promise.all(visits);
  expect([...statuses]).toEqual([200]);
});
