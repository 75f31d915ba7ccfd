import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import fastifyCookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import { beforeEach, expect, jest, test } from '@jest/globals';
import Fastify from 'fastify';
import { Counts } from './counts.ts';
import type { LiveSite } from './releases/live-site.ts';
import { registerReports } from './reports.ts';
import { readMetrics, startRunningSite, twoRemotes } from './test/running-site.ts';

const version = versionOf(1);
const report = { remote: 'mf-legal', version, route: '/terms', kind: 'load' };

const { url, client } = await startRunningSite({ variables: { TRUSTED_PROXIES: '1' }, releases: twoRemotes });

/** Each test has its own network. */
let network = 0;
beforeEach(() => {
  network += 1;
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  send(url, '/_reports', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `192.0.2.${network}`, ...headers },
  });

/** Returns the number of failures of a kind in the metrics. */
async function counted(kind: string): Promise<number> {
  const line = new RegExp(`^daybook_remote_failures_total\\{.*version="${version}",kind="${kind}"\\} (\\d+)`, 'm');
  return Number(line.exec(await readMetrics(url))?.[1] ?? 0);
}
const countedAll = () => Promise.all(['load', 'render', 'hydration'].map(counted));
const failures = async () => (await client.show()).releases[0]?.failures ?? 0;

test.each(['application/json', 'text/plain;charset=UTF-8'])('a report is counted, sent as %s', async (type) => {
  const before = [await counted('load'), await failures()] as const;
  const { status, text } = await post(report, { 'Content-Type': type, Origin: url });
  expect([status, text]).toEqual([204, '']);
  expect([await counted('load'), await failures()]).toEqual(before.map((count) => count + 1));
});

test('reports count once per network, remote and minute, hydrations apart', async () => {
  const before = [...(await countedAll()), await failures()];
  for (const kind of ['load', 'load', 'render', 'hydration', 'hydration']) await post({ ...report, kind });
  const after = [...(await countedAll()), await failures()];
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 0, 1, 1]);
});

test.each<[string, number, unknown, Record<string, string>]>([
  ['of another origin', 403, report, { Origin: 'https://other.example' }],
  ['above the size limit', 413, { ...report, route: `/${'a'.repeat(2_000)}` }, {}],
  ['of a route of another remote', 400, { ...report, route: '/' }, {}],
  ["of a URL with a visitor's input", 400, { ...report, route: '/terms?email=ann@example.com' }, {}],
])('a report %s is rejected with %i', async (_what, status, body, headers) => {
  const before = await countedAll();
  const response = await post(body, headers);
  expect([response.status, response.headers['content-type']]).toEqual([status, expect.stringMatching(/^text\/plain/)]);
  expect(await countedAll()).toEqual(before);
});

test('a report of a release that was removed is accepted and not counted', async () => {
  expect((await post({ ...report, version: versionOf(9) })).status).toBe(204);
  expect(await readMetrics(url)).not.toContain(versionOf(9));
});

/** A server that takes reports about any version; `from` sends some from an address. */
async function startReports() {
  const metrics = { views: { inc: jest.fn() }, failures: { inc: jest.fn() }, failingNetworks: { inc: jest.fn() } };
  const app = Fastify();
  await app.register(fastifyCookie).register(rateLimit, { global: false });
  const live = { site: { find: () => ({ release: { routes: [{ path: '/terms' }] } }) } } as unknown as LiveSite;
  registerReports(app, live, new Counts(metrics as unknown as ConstructorParameters<typeof Counts>[0]));
  const from = async (remoteAddress: string, about: Partial<typeof report> = {}) => {
    const { statusCode } = await app.inject({
      ...{ method: 'POST', url: '/_reports', remoteAddress },
      payload: { ...report, ...about },
    });
    expect(statusCode).toBe(204);
  };
  /** Without those that count 0, which only make a series known. */
  const countOf = (name: 'failures' | 'failingNetworks') =>
    metrics[name].inc.mock.calls.filter((call) => call.length === 1).length;
  return { app, from, countOf };
}

test('the networks of a customer (/48) count once, and hide nobody else’s failure', async () => {
  const { app, from, countOf } = await startReports();
  for (let each = 0; each < 1_000; each += 1) await from(`2001:db8:7:${each.toString(16)}::1`);
  expect(countOf('failures')).toBe(1);
  for (const other of ['192.0.2.7', '2001:db8:8::1']) await from(other);
  for (let number = 0; number < 100; number += 1) await from('192.0.2.9', { version: versionOf(number) });
  expect(countOf('failures')).toBe(4);
  await app.close();
});

test('one network that reports all the time is one failing network an hour', async () => {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
  const { app, from, countOf } = await startReports();
  for (let minute = 0; minute < 59; minute += 1) {
    for (const kind of ['load', 'render', 'hydration'])
      for (const number of [1, 2, 3]) await from(`2001:db8:7:${minute}::1`, { kind, version: versionOf(number) });
    now += 60_000;
  }
  expect([countOf('failures'), countOf('failingNetworks')]).toEqual([2 * 59, 2]);
  now += 60_000;
  await from('2001:db8:7::1');
  expect(countOf('failingNetworks')).toBe(3);
  clock.mockRestore();
  await app.close();
});
