import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/runner/releases-database';
import { eventually } from '@daybook/testing/eventually';
import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { PostgresSiteRegistry } from './registry/postgres-site-registry.ts';
import { changeRelease, openReleasesPage, operatorToken } from './test/operator.ts';
import { legalRelease, prepareTwoRemotes, type RunningSite, startRunningSite } from './test/running-site.ts';

// Shell servers with separate, empty disks on one PostgreSQL, which is killed and restarted.

const [first, second] = [versionOf(1), versionOf(2)];
const variables = { OPERATOR_TOKEN: operatorToken, TRUSTED_PROXIES: '1' };

let database: ReleasesDatabase;
const running: RunningSite[] = [];
beforeAll(async () => {
  database = await startReleasesDatabase();
});
afterAll(() => database.stop());
beforeEach(() => database.empty());
afterEach(async () => {
  for (const site of running.splice(0)) await site.stop();
});

/** Starts a server with a disk of its own. */
async function start(options: Parameters<typeof startRunningSite>[0] = {}): Promise<RunningSite> {
  const site = await startRunningSite({
    prepare: running.length === 0 ? prepareTwoRemotes : () => undefined,
    variables,
    registry: new PostgresSiteRegistry(database.shellUrl),
    ...options,
  });
  running.push(site);
  return site;
}

async function activeAt({ url }: RunningSite): Promise<string | undefined> {
  const { remotes } = JSON.parse((await send(url, '/registry.json')).text);
  return remotes.find(({ name }: { name: string }) => name === 'mf-legal')?.version;
}
const statusOf = async ({ url }: RunningSite, path = '/terms') => (await send(url, path)).status;
const change = ({ url }: RunningSite, fields: Record<string, string>) =>
  changeRelease(url, { remote: 'mf-legal', ...fields });
const untilActive = (site: RunningSite, version: string) =>
  eventually(async () => expect(await activeAt(site)).toBe(version));

test('a release, a rollback and a hold at one server are live on all of them, and on a new one', async () => {
  const one = await start();
  await untilActive(one, first);
  const others = [await start(), await start()] as const;
  await one.publish(legalRelease(2));
  expect(await activeAt(one)).toBe(second);
  for (const each of others) await untilActive(each, second);
  expect((await change(one, { action: 'rollback' })).status).toBe(201);
  for (const each of others) await untilActive(each, first);
  expect((await change(others[0], { action: 'hold' })).status).toBe(201);

  const late = await start();
  await expect(late.publish(legalRelease(3))).rejects.toThrow('is held');
  await untilActive(late, first);
  expect(await statusOf(late)).toBe(200);
  const { entry } = legalRelease(1);
  expect(await statusOf(late, `/remotes/mf-legal/${first}/${entry}`)).toBe(200);
});

test('a file that another server has just stored is served at once', async () => {
  const [one, other] = [await start(), await start()];
  await one.publish(legalRelease(2));
  expect(await statusOf(other, `/remotes/mf-legal/${second}/${legalRelease(2).entry}`)).toBe(200);
});

test('while PostgreSQL is down, pages are served, a server restarts from its folder, and all say so', async () => {
  const one = await start();
  await one.publish(legalRelease(2));
  await change(one, { action: 'rollback' });
  expect(await activeAt(one)).toBe(first);
  const RELEASES_FOLDER = `${one.site.folder}/releases`;
  const other = await start({ variables: { ...variables, RELEASES_FOLDER } });
  await untilActive(other, first);

  await database.kill();
  const unavailable = await eventually(async () => {
    const ready = await send(one.url, '/readyz');
    expect(JSON.parse(ready.text)).toHaveProperty('releaseRegistryUnavailableSince');
    return ready;
  });
  expect(unavailable.status).toBe(200);
  expect(await statusOf(one)).toBe(200);
  const page = await openReleasesPage(one.url);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('The release registry can&#39;t be used')]);
  const activation = { action: 'activate', version: second };
  const rejected = await change(one, activation);
  expect([rejected.status, rejected.text]).toEqual([
    503,
    expect.stringContaining("The release registry can't be used"),
  ]);

  await other.stop();
  const restarted = await start({ variables: { ...variables, RELEASES_FOLDER } });
  expect(await activeAt(restarted)).toBe(first);
  expect(await statusOf(restarted)).toBe(200);

  await database.resume();
  await eventually(async () => expect((await change(one, activation)).status).toBe(201));
  for (const each of [one, restarted]) await untilActive(each, second);
  await eventually(async () =>
    expect(JSON.parse((await send(one.url, '/readyz')).text)).not.toHaveProperty('releaseRegistryUnavailableSince'),
  );
});
