import { readdirSync } from 'node:fs';
import { eventually } from '@daybook/testing/eventually';
import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { beforeEach, expect, test } from '@jest/globals';
import { numbered, queryDatabase, type Sent, sentOf, startRunningSite } from '../test/running-site.ts';

const site = await startRunningSite({ variables: { RELEASES_KEPT: '2' } });
const { client } = site;
beforeEach(() => site.empty());

/** A release whose files are its entry and others by their content. */
const withFiles = (number: number, ...contents: readonly string[]): Sent => {
  const release = numbered(number);
  const files = Object.fromEntries(contents.map((content) => [`${content}.js`, content]));
  return sentOf(release, { [release.entry]: `entry ${number}`, ...files });
};
const publish = async (sent: Sent, query = '') => expect((await client.publish(sent, query)).status).toBe(201);
const storedNumbers = async () =>
  (await client.show()).releases.map(({ version }) => Number(version.split('-')[1])).sort();
const blobs = async () => {
  const text = "SELECT convert_from(content, 'UTF8') AS text FROM releases.blob";
  const stored = await queryDatabase<{ text: string }>(site.database, text);
  return stored.flatMap((each) => (/^(?:entry \d|[a-z])$/.test(each.text) ? each.text : [])).sort();
};

test('the last releases are retained, and the files that they have', async () => {
  for (const sent of [withFiles(1, 'a', 'b'), withFiles(2, 'b', 'c'), withFiles(3, 'c')]) await publish(sent);
  expect(await storedNumbers()).toEqual([2, 3]);
  expect(await blobs()).toEqual(['b', 'c', 'entry 2', 'entry 3']);
  expect((await send(site.url, `/remotes/mf-legal/${versionOf(1)}/a.js`)).status).toBe(404);
  // Files b and c and two entries; nothing of the page's frame.
  await eventually(() => expect(readdirSync(`${site.releasesFolder}/cache`)).toHaveLength(4));
});

test.each(['', '?percent=10'])('what visitors get and the one before stay, however old: %s', async (query) => {
  await publish(withFiles(1));
  await publish(withFiles(2), query);
  for (const number of [3, 4, 5]) await publish(withFiles(number), '?keep=true');
  expect(await storedNumbers()).toEqual([1, 2, 4, 5]);
});

test('a rollback passes over a release that is no longer stored', async () => {
  for (const number of [1, 2, 3]) await publish(withFiles(number));
  await client.change({ action: 'rollback', remote: 'mf-legal' });
  expect(await client.show()).toMatchObject({ state: { active: versionOf(2) }, previous: null });
  expect((await client.change({ action: 'rollback', remote: 'mf-legal' })).status).toBe(422);
});

test('a release that was removed can be published and activated again', async () => {
  for (const number of [1, 2, 3]) await publish(withFiles(number, 'a'));
  expect(await client.publish(withFiles(1, 'a'))).toMatchObject({
    json: { outcome: 'unchanged', previous: versionOf(2) },
  });
  expect((await client.change({ action: 'activate', releases: [`mf-legal@${versionOf(1)}`] })).status).toBe(201);
  expect((await send(site.url, `/remotes/mf-legal/${versionOf(1)}/a.js`)).text).toBe('a');
});
