import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Line, openLine } from './test/line.ts';
import * as running from './test/running-site.ts';

// Servers with folders of their own on one database, which they reach by a line that can be cut. Restarts and equal states of
// two servers are in model.spec.ts.

const { numbered, sentOf, twoRemotes } = running;
const [first, second] = [versionOf(1), versionOf(2)];
const signup = (number: number, ...paths: string[]) =>
  sentOf(numbered(number, 'mf-signup', { routes: paths.map((each) => routeOf(each)) }));

let database: string;
let line: Line;
const lines: Line[] = [];
beforeEach(async () => {
  database = await running.newDatabase();
  line = await openLine(database);
  lines.push(line);
});
afterAll(() => {
  for (const each of lines) each.close();
});

const start = (releases: readonly running.Sent[] = [], more: running.RunningSiteOptions = {}) =>
  running.startRunningSite({ database: line.url, releases, ...more });
const statusOf = async ({ url }: running.RunningSite, where = '/terms') => (await send(url, where)).status;
const serves = (site: running.RunningSite, version: string, remote = 'mf-legal') =>
  eventually(async () => expect(await site.client.versionOf(remote)).toBe(version));
const sinceOf = async ({ url }: running.RunningSite) =>
  JSON.parse((await send(url, '/readyz')).text).releaseRegistryUnavailableSince;
const isDown = (site: running.RunningSite) => eventually(async () => expect(await sinceOf(site)).toBeDefined());
const isUp = (site: running.RunningSite) => eventually(async () => expect(await sinceOf(site)).toBeUndefined());

test('what another server has just stored is served at once', async () => {
  const [one, other] = [await start(twoRemotes), await start()];
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.js`, `content ${index}`]));
  const { json } = await one.client.publish(sentOf(numbered(2), { [numbered(2).entry]: '', ...files }), '?keep=true');
  const urls = [...Object.keys(files).map((name) => `/remotes/mf-legal/${second}/${name}`), json.preview];
  const statuses = await Promise.all(urls.map((url) => statusOf(other, url)));
  expect(statuses).toEqual([...Array(20).fill(200), 303]);
  await one.client.publish(sentOf(numbered(3)), '?keep=true');
  expect(await other.client.versionOf('mf-legal', { Cookie: `preview=mf-legal@${versionOf(3)}` })).toBe(versionOf(3));
});

test('without the database, pages are served, and changes are a 503 that names it', async () => {
  const site = await start(twoRemotes);
  line.cut();
  await isDown(site);
  const file = `/remotes/mf-legal/${first}/${numbered(1).entry}`;
  for (const where of ['/terms', '/registry.json', file, '/healthz', '/readyz'])
    expect(await statusOf(site, where)).toBe(200);
  for (const { status, json } of [
    await site.client.publish(sentOf(numbered(2))),
    await site.client.change({ action: 'hold', remote: 'mf-legal' }),
  ])
    expect([status, json.errors]).toEqual([
      503,
      [expect.stringMatching(/^Releases can't be read or changed: the database/)],
    ]);
  line.mend();
  await eventually(async () => expect((await site.client.publish(sentOf(numbered(2)))).status).toBe(201));
  await isUp(site);
});

test('a server that has never read the database is not ready', async () => {
  line.cut();
  const site = await start();
  expect(await statusOf(site, '/readyz')).toBe(503);
  line.mend();
  await eventually(async () => expect(await statusOf(site, '/readyz')).toBe(200));
});

test('a database that no longer responds counts as down', async () => {
  const site = await start(twoRemotes);
  line.stall();
  await isDown(site);
  expect(await statusOf(site)).toBe(200);
  line.mend();
  await isUp(site);
});

test('a server that waits for files of one remote rolls another one back at once', async () => {
  const [one, other] = [await start([...twoRemotes, signup(2, '/')]), await start()];
  await one.client.publish(sentOf(numbered(2)), '?keep=true');
  // It has the files of the release that it returns to.
  expect(await statusOf(other, `/remotes/mf-signup/${first}/${numbered(1).entry}`)).toBe(200);
  const owner = new pg.Client(running.ownerOf(database));
  await owner.connect();
  await owner.query('BEGIN; LOCK TABLE releases.blob');
  await one.client.change({ action: 'activate', releases: [`mf-legal@${second}`] });
  await eventually(async () => expect((await other.client.show()).state?.active).toBe(second));
  const { status } = await other.client.change({ action: 'rollback', remote: 'mf-signup' });
  expect([status, await other.client.versionOf('mf-signup')]).toEqual([201, first]);
  expect([await other.client.versionOf(), await statusOf(other)]).toEqual([first, 200]);
  await owner.end();
  await serves(other, second);
});

test('files of another version of the shell are served by every server', async () => {
  const one = await start(twoRemotes);
  const newer = await start([], {
    prepare: ({ folder, read, write }) => {
      write('shell/shell.99999999.js', 'newer script');
      const manifest = String(read('shell', 'shell.json')).replace('1.0.0-000000000001', '1.0.0-000000000002');
      writeFileSync(path.join(folder, 'shell/shell.json'), manifest);
    },
  });
  const textOf = async ({ url }: running.RunningSite, name: string) => (await send(url, `/assets/${name}`)).text;
  await eventually(async () => expect(await textOf(one, 'shell.99999999.js')).toBe('newer script'));
  expect(await textOf(newer, 'shell.0a1b2c3d.js')).toBe('shell script');
  await newer.stop();
  expect(await textOf(one, 'shell.99999999.js')).toBe('newer script');
});
