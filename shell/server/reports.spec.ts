import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { numbered, readMetrics, sentOf, startRunningSite, twoRemotes } from './test/running-site.ts';

const [first, second] = [versionOf(1), versionOf(2)];
const report = { remote: 'mf-legal', version: first, route: '/terms', kind: 'load' };

const releases = [...twoRemotes, sentOf(numbered(2))];
const { url, client } = await startRunningSite({ variables: { TRUSTED_PROXIES: '1' }, releases });

/** Each test has its own network. */
let network = 0;
beforeEach(() => {
  network += 1;
});

const post = (body: object, headers: Record<string, string> = {}) =>
  send(url, '/_reports', {
    method: 'POST',
    body: JSON.stringify({ ...report, ...body }),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `192.0.2.${network}`, ...headers },
  });
const postFrom = async (address: string, body = {}) =>
  expect((await post(body, { 'X-Forwarded-For': address })).status).toBe(204);

/** Returns a counter's sum over all releases, of a kind or of all. */
async function total(counter: string, kind = '[a-z]+'): Promise<number> {
  const lines = new RegExp(`^daybook_${counter}_total\\{.*,kind="${kind}"\\} (\\d+)$`, 'gm');
  return [...(await readMetrics(url)).matchAll(lines)].reduce((sum, [, count]) => sum + Number(count), 0);
}
/** Returns by how much counters grow meanwhile. */
async function growth(counters: readonly (() => Promise<number>)[], run: () => Promise<unknown>): Promise<number[]> {
  const read = () => Promise.all(counters.map((count) => count()));
  const before = await read();
  await run();
  return (await read()).map((count, index) => count - (before[index] ?? 0));
}
const failures = () => total('remote_failures');
const networks = () => total('failing_networks');
const shown = async () => (await client.show()).releases.reduce((sum, { failures: count }) => sum + count, 0);

test.each(['application/json', 'text/plain;charset=UTF-8'])('a report is counted, sent as %s', async (type) => {
  const send = async () => expect((await post({}, { 'Content-Type': type, Origin: url })).status).toBe(204);
  expect(await growth([failures, shown], send)).toEqual([1, 1]);
});

test('reports count once per network, remote and minute, hydrations apart', async () => {
  const kinds = ['load', 'render', 'hydration'].map((kind) => () => total('remote_failures', kind));
  const run = async () => {
    for (const kind of ['load', 'load', 'render', 'hydration', 'hydration']) await post({ kind });
    await post({ version: second });
  };
  expect(await growth([...kinds, shown], run)).toEqual([1, 0, 1, 1]);
});

test.each<[string, number, object, Record<string, string>]>([
  ['of another origin', 403, {}, { Origin: 'https://other.example' }],
  ['above the size limit', 413, { route: `/${'a'.repeat(2_000)}` }, {}],
  ['of a route of another remote', 400, { route: '/' }, {}],
  ["of a URL with a visitor's input", 400, { route: '/terms?email=ann@example.com' }, {}],
  ['of a release that was removed', 204, { version: versionOf(9) }, {}],
])('a report %s gets a %i and is not counted', async (_what, status, body, headers) => {
  expect(await growth([failures], async () => expect((await post(body, headers)).status).toBe(status))).toEqual([0]);
});

test('the networks of a customer (/48) count once, and hide nobody else’s failure', async () => {
  const run = async () => {
    for (let each = 0; each < 50; each += 1) await postFrom(`2001:db8:7:${each}::1`);
    await postFrom('2001:db8:8::1');
  };
  expect(await growth([failures], run)).toEqual([2]);
});

test('one network that reports all the time is one failing network an hour', async () => {
  let now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
  const reportAfter = async (minutes: number) => {
    now += minutes * 60_000;
    await postFrom('2001:db8:9::1');
  };
  const within = async () => {
    for (let minute = 0; minute < 5; minute += 1) await reportAfter(1);
  };
  expect(await growth([failures, networks], within)).toEqual([5, 1]);
  expect(await growth([failures, networks], () => reportAfter(60))).toEqual([1, 1]);
  clock.mockRestore();
});
