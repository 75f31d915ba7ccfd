import { MemoryRegistry, type ServedReleases } from '@daybook/releases/server';
import fastifyCookie from '@fastify/cookie';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { versionOf } from '../../../packages/releases/src/test/release-folder.ts';
import { operatorToken, readMetrics } from '../test/operator.ts';
import { prepareTwoRemotes, type RunningSite, startRunningSite } from '../test/running-site.ts';
import { send } from '../test/send.ts';
import { ReleaseStats } from './release-stats.ts';
import { registerReports } from './report-routes.ts';

const version = versionOf(1);
const report = { remote: 'mf-legal', version, route: '/terms', kind: 'load' };

let running: RunningSite;
beforeAll(async () => {
  running = await startRunningSite({
    prepare: prepareTwoRemotes,
    variables: { OPERATOR_TOKEN: operatorToken, TRUSTED_PROXIES: '1' },
  });
});
afterAll(() => running.stop());

/** Each test has its own client. */
let client = '';
let clients = 0;
beforeEach(() => {
  clients += 1;
  client = `192.0.2.${clients}`;
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  send(running.address, '/_reports', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client, ...headers },
  });

/** Returns the number of failures of a kind in the metrics. */
async function counted(kind = 'load'): Promise<number> {
  const text = await readMetrics(running.address);
  const line = new RegExp(`^daybook_remote_failures_total\\{.*version="${version}",kind="${kind}"\\} (\\d+)`, 'm');
  return Number(line.exec(text)?.[1] ?? 0);
}

describe('a report of a failure', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'text/plain;charset=UTF-8'])(
    'is counted, sent as %s',
    async (type) => {
      const before = await counted();
      const { status, text } = await post(report, { 'Content-Type': type, Origin: running.address });
      expect([status, text]).toEqual([204, '']);
      expect(await counted()).toBe(before + 1);
    },
  );

  test('is counted once per minute and network, of any kind', async () => {
    const [load, render] = [await counted('load'), await counted('render')];
    for (let time = 0; time < 3; time += 1) expect((await post(report)).status).toBe(204);
    await post({ ...report, kind: 'render' });
    expect([await counted('load'), await counted('render')]).toEqual([load + 1, render]);
  });

  test('of a hydration is counted separately, and is no failure of the release', async () => {
    const [load, hydration] = [await counted('load'), await counted('hydration')];
    for (const kind of ['hydration', 'hydration', 'load'])
      await post({ ...report, kind }, { 'X-Forwarded-For': '198.51.100.77' });
    expect([await counted('load'), await counted('hydration')]).toEqual([load + 1, hydration + 1]);
  });

  test('is counted once for all addresses of a customer’s IPv6 network (/48)', async () => {
    const before = await counted();
    for (const address of ['2001:db8:7:7::1', '2001:db8:7:8:ffff::2', '2001:db8:8::1'])
      await post(report, { 'X-Forwarded-For': address });
    expect(await counted()).toBe(before + 2);
  });

  test.each<[string, unknown]>([
    ['of an unknown remote', { ...report, remote: 'mf-nowhere' }],
    ['of an inherited name', { ...report, remote: '__proto__' }],
    ['of a version that is not stored', { ...report, version: '1.0.9-00000009' }],
    ['of an invalid version', { ...report, version: '../../secret' }],
    ['of a route of another remote', { ...report, route: '/' }],
    ["of an address with a visitor's input", { ...report, route: '/terms?email=ann@example.com' }],
    ['of an unknown kind', { ...report, kind: 'view' }],
    ['with an unknown field', { ...report, email: 'ann@example.com' }],
    ['that is no object', [report]],
    ['that is null', 'null'],
    ['that is not JSON', '{'],
    ['that is empty', ''],
  ])('%s is rejected', async (_what, body) => {
    const before = await counted();
    const { status, headers } = await post(body);
    expect(status).toBe(400);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(await counted()).toBe(before);
  });

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])(
    'is rejected from the origin %s',
    async (Origin) => {
      const before = await counted();
      expect((await post(report, { Origin })).status).toBe(403);
      expect(await counted()).toBe(before);
    },
  );

  test('is rejected above the size limit', async () => {
    expect((await post({ ...report, route: `/${'a'.repeat(2_000)}` })).status).toBe(413);
  });

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/html'])(
    'is rejected with the content type %s',
    async (type) => {
      expect((await post(report, { 'Content-Type': type })).status).toBe(415);
    },
  );

  test("can't be read with GET", async () => {
    expect((await send(running.address, '/_reports')).status).toBe(404);
  });
});

describe('a flood of reports', () => {
  let app: FastifyInstance;
  let stats: ReleaseStats;
  beforeEach(() => {
    stats = new ReleaseStats(new MemoryRegistry());
    app = Fastify();
    app.register(fastifyCookie);
    const releases = { find: () => ({ release: { routes: [{ path: '/terms' }] } }) } as unknown as ServedReleases;
    registerReports(app, { releases, stats });
  });
  afterEach(() => app.close());

  const from = async (remoteAddress: string, about = version) => {
    const payload = { ...report, version: about };
    return (await app.inject({ method: 'POST', url: '/_reports', payload, remoteAddress })).statusCode;
  };
  const failures = async (about = version) => (await stats.read(['mf-legal'])).since('mf-legal', about, 0).failures;

  test('from the networks of one customer (/48) counts once, and hides nobody else’s failure', async () => {
    for (let network = 0; network < 3_000; network += 1) await from(`2001:db8:7:${network.toString(16)}::1`);
    expect(await failures()).toBe(1);
    expect(await from('192.0.2.7')).toBe(204);
    expect(await from('2001:db8:8::1')).toBe(204);
    expect(await failures()).toBe(3);
  });

  test('about hundreds of releases hides nobody else’s failure', async () => {
    for (let number = 0; number < 300; number += 1) await from('192.0.2.7', `1.0.${number}-00000009`);
    expect(await from('192.0.2.8')).toBe(204);
    expect(await failures()).toBe(1);
  });

  test('from hundreds of networks is counted, and hides nobody else’s failure', async () => {
    for (let number = 0; number < 300; number += 1) await from(`10.0.${number >> 8}.${number & 0xff}`);
    expect(await from('10.1.0.0')).toBe(204);
    expect(await failures()).toBe(301);
  });
});
