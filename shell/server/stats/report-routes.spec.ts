import type { SiteReleases } from '@daybook/releases/server';
import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import fastifyCookie from '@fastify/cookie';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import Fastify from 'fastify';
import { MemorySiteRegistry } from '../test/memory-site-registry.ts';
import { operatorToken, readMetrics } from '../test/operator.ts';
import { prepareTwoRemotes, startRunningSite } from '../test/running-site.ts';
import { countsSince, ReleaseStats } from './release-stats.ts';
import { registerReports } from './report-routes.ts';

const version = versionOf(1);
const report = { remote: 'mf-legal', version, route: '/terms', kind: 'load' };

const running = await startRunningSite({
  prepare: prepareTwoRemotes,
  variables: { OPERATOR_TOKEN: operatorToken, TRUSTED_PROXIES: '1' },
});

/** Each test has its own client. */
let client = '';
let clients = 0;
beforeEach(() => {
  clients += 1;
  client = `192.0.2.${clients}`;
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  send(running.url, '/_reports', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client, ...headers },
  });

/** Returns the number of failures of a kind in the metrics. */
async function counted(kind = 'load'): Promise<number> {
  const text = await readMetrics(running.url);
  const line = new RegExp(`^daybook_remote_failures_total\\{.*version="${version}",kind="${kind}"\\} (\\d+)`, 'm');
  return Number(line.exec(text)?.[1] ?? 0);
}

describe('a report of a failure', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'text/plain;charset=UTF-8'])(
    'is counted, sent as %s',
    async (type) => {
      const before = await counted();
      const { status, text } = await post(report, { 'Content-Type': type, Origin: running.url });
      expect([status, text]).toEqual([204, '']);
      expect(await counted()).toBe(before + 1);
    },
  );

  test('is counted once per network, remote and minute, of any kind but hydration', async () => {
    const kinds = ['load', 'render', 'hydration'];
    const count = () => Promise.all(kinds.map((kind) => counted(kind)));
    const before = await count();
    for (const kind of ['load', 'load', 'render', 'hydration', 'hydration'])
      expect((await post({ ...report, kind })).status).toBe(204);
    expect((await count()).map((number, index) => number - (before[index] ?? 0))).toEqual([1, 0, 1]);
  });

  test.each<[string, number, unknown, Record<string, string>]>([
    ['of another origin', 403, report, { Origin: 'https://evil.example' }],
    ['of an opaque origin', 403, report, { Origin: 'null' }],
    ['above the size limit', 413, { ...report, route: `/${'a'.repeat(2_000)}` }, {}],
    ['with the content type of a form', 415, report, { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['of an unknown remote', 400, { ...report, remote: 'mf-nowhere' }, {}],
    ['of a version that is not stored', 400, { ...report, version: '1.0.9-00000009' }, {}],
    ['of a route of another remote', 400, { ...report, route: '/' }, {}],
    ["of a URL with a visitor's input", 400, { ...report, route: '/terms?email=ann@example.com' }, {}],
    ['of an unknown kind', 400, { ...report, kind: 'view' }, {}],
    ['with an unknown field', 400, { ...report, email: 'ann@example.com' }, {}],
    ['that is null', 400, 'null', {}],
    ['that is not JSON', 400, '{', {}],
  ])('%s is rejected with %i', async (_what, status, body, headers) => {
    const before = await counted();
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toMatch(/^text\/plain/);
    expect(await counted()).toBe(before);
  });
});

/** A server for reports about any version; `from` sends one from an address. */
function startReports() {
  const counters = { views: { inc: jest.fn() }, failures: { inc: jest.fn() }, failingNetworks: { inc: jest.fn() } };
  const stats = new ReleaseStats(new MemorySiteRegistry(), counters);
  const app = Fastify().register(fastifyCookie, { secret: 'of a test' });
  const releases = { find: () => ({ release: { routes: [{ path: '/terms' }] } }) } as unknown as SiteReleases;
  registerReports(app, { releases, stats });
  const from = async (remoteAddress: string, about: Partial<typeof report> = {}) => {
    const payload = { ...report, ...about };
    const { statusCode } = await app.inject({ method: 'POST', url: '/_reports', payload, remoteAddress });
    expect(statusCode).toBe(204);
  };
  /** Of all releases; not those that count 0, which only make a series known. */
  const countedBy = (name: keyof typeof counters) =>
    counters[name].inc.mock.calls.filter((call) => call.length === 1).length;
  return { app, stats, from, countedBy };
}

test('reports from the networks of one customer (/48) count once, and hide nobody else’s failure', async () => {
  const { app, stats, from } = startReports();
  const failures = async () => countsSince(await stats.read(['mf-legal']), report, 0).failures;
  for (let network = 0; network < 3_000; network += 1) await from(`2001:db8:7:${network.toString(16)}::1`);
  expect(await failures()).toBe(1);
  for (const other of ['192.0.2.7', '2001:db8:8::1']) await from(other);
  for (let number = 0; number < 300; number += 1) await from('192.0.2.9', { version: `1.0.${number}-00000009` });
  for (let number = 0; number < 300; number += 1) await from(`10.0.${number >> 8}.${number & 0xff}`);
  await from('192.0.2.8');
  expect(await failures()).toBe(304);
  await app.close();
});

test('one client that reports each release and kind all the time counts once a minute, and as one network an hour', async () => {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
  const { app, from, countedBy } = startReports();
  const reportAll = async (url: string) => {
    for (const kind of ['load', 'render', 'hydration'])
      for (const number of [1, 2, 3, 4, 5]) await from(url, { kind, version: versionOf(number) });
  };
  for (let minute = 0; minute < 59; minute += 1) {
    await reportAll(`2001:db8:7:${minute}::1`);
    now += 60_000;
  }
  // A hydration counts beside a failure: the page works.
  expect([countedBy('failures'), countedBy('failingNetworks')]).toEqual([2 * 59, 2]);
  for (const neighbor of ['2001:db8:8::1', '192.0.2.7']) await from(neighbor);
  expect(countedBy('failingNetworks')).toBe(4);
  now += 60_000;
  await from('2001:db8:7::1');
  expect(countedBy('failingNetworks')).toBe(5);
  clock.mockRestore();
  await app.close();
});
