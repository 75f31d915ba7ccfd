import { eventually } from '@daybook/testing/eventually';
import rateLimit from '@fastify/rate-limit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { versionOf } from '../../../packages/releases/src/test/release-folder.ts';
import { heapUsed } from '../test/heap.ts';
import { metricsToken, operatorToken, readMetrics } from '../test/operator.ts';
import { prepareTwoRemotes, type RunningSite, startRunningSite } from '../test/running-site.ts';
import { send } from '../test/send.ts';
import { type AccessError, maxFailures, OperatorAccess } from './operator-access.ts';

describe('wrong tokens', () => {
  let now = 0;
  let app: FastifyInstance;
  let access: OperatorAccess;
  beforeEach(async () => {
    now = 1_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    app = Fastify();
    await app.register(rateLimit, { global: false });
    access = new OperatorAccess(app, [{ token: operatorToken }]);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await app.close();
  });

  /** Sends a token; returns 200, or the status of the rejection. */
  const send = (ip: string, token = 'wrong') => {
    const headers = { authorization: `Bearer ${token}` };
    const request = { ip, headers, routeOptions: {}, log: { warn: () => undefined } } as unknown as FastifyRequest;
    return access.nameOfScript(request).then(
      () => 200,
      (error: AccessError) => error.statusCode,
    );
  };
  /** Sends wrong tokens at once; returns how many of them were checked. */
  const guess = async (ip: string, times: number) =>
    (await Promise.all(Array.from({ length: times }, () => new Promise(setImmediate).then(() => send(ip))))).filter(
      (status) => status === 401,
    ).length;

  test('are rate limited by network for a minute from the first, and with them the correct one', async () => {
    for (let time = 0; time < 2 * maxFailures; time += 1) await send('192.0.2.1', operatorToken);
    expect(await guess('192.0.2.1', 100)).toBe(maxFailures);
    now += 59_999;
    expect(await send('192.0.2.1', operatorToken)).toBe(429);
    expect(await send('192.0.2.2', operatorToken)).toBe(200);
    now += 1;
    expect(await send('192.0.2.1', operatorToken)).toBe(200);
    // All addresses of a /64 are one network.
    for (let host = 1; host <= maxFailures; host += 1) await send(`2001:db8:7:7::${host}`);
    expect(await send('2001:db8:7:7::77')).toBe(429);
  });

  test('of 110,000 networks lock no operator out, and cost bounded memory', async () => {
    // The fake clock would store each of its calls, and stacks of errors take most of the time.
    jest.restoreAllMocks();
    jest.replaceProperty(Error, 'stackTraceLimit', 0);
    const flood = async (from: number, to: number) => {
      for (let number = from; number < to; number += 1)
        await send(`10.${number >> 16}.${(number >> 8) & 0xff}.${number & 0xff}`);
      return heapUsed();
    };
    const full = await flood(0, 30_000);
    const later = await flood(30_000, 110_000);
    // Without a bound, 80,000 more networks take 16 MB or more.
    expect(later - full).toBeLessThan(4_000_000);
    // Neither an unknown network nor one that sent wrong tokens is locked out.
    for (const ip of ['192.0.2.1', '10.0.0.1', '10.1.173.175']) expect(await send(ip, operatorToken)).toBe(200);
  });
});

const first = versionOf(1);

const variables = { OPERATOR_TOKEN: operatorToken, VERSION: '1.2.3', REVISION: '0a1b2c3' };

let running: RunningSite;
beforeAll(async () => {
  running = await startRunningSite({ prepare: prepareTwoRemotes, variables });
});
afterAll(() => running.stop());

const metrics = async () => (await readMetrics(running.address)).split('\n');
const readOnly = { Authorization: `Bearer ${metricsToken}` };

describe('/metrics', () => {
  test('requires the metrics token, which opens nothing else; that of an operator does not open it', async () => {
    for (const Authorization of ['', 'Bearer wrong', `Basic ${metricsToken}`, `Bearer ${operatorToken}`]) {
      const { status, headers, text } = await send(running.address, '/metrics', { headers: { Authorization } });
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(text).not.toContain('daybook_');
    }
    expect((await send(running.address, '/_releases', { headers: readOnly })).status).toBe(401);
  });

  test('reports process, version and releases in the format of Prometheus, and is not cached', async () => {
    await send(running.address, '/terms');
    await send(running.address, '/nowhere');
    const { headers } = await send(running.address, '/metrics', { headers: readOnly });
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(headers['cache-control']).toBe('no-store');
    const readiness = JSON.parse((await send(running.address, '/readyz')).text);
    expect(readiness).toMatchObject({ version: '1.2.3', revision: '0a1b2c3' });
    expect(await metrics()).toEqual(
      expect.arrayContaining([
        'daybook_build_info{service="shell",version="1.2.3",revision="0a1b2c3"} 1',
        expect.stringMatching(/^process_cpu_seconds_total \d/),
        `daybook_page_views_total{remote="mf-legal",version="${first}"} 1`,
        `daybook_release_share{remote="mf-legal",version="${first}"} 1`,
        `daybook_release_share{remote="mf-signup",version="${first}"} 1`,
        'daybook_release_revision{remote="mf-legal"} 1',
      ]),
    );
  });

  test('reports requests and latency by kind, without labels that clients control', async () => {
    const paths = ['/terms', '/made-up?email=ada@example.com', '/favicon.svg', '/assets/none.js', '/api/x', '/healthz'];
    for (const path of paths) await send(running.address, path);
    const lines = await metrics();
    for (const labels of ['page 200', 'page 404', 'file 200', 'file 404', 'api 404', 'other 200']) {
      const [kind, status] = labels.split(' ');
      const requests = `^daybook_shell_requests_total\\{kind="${kind}",method="GET",status="${status}"\\} \\d+$`;
      const durations = `^daybook_shell_request_duration_seconds_count\\{kind="${kind}"\\} \\d+$`;
      for (const line of [requests, durations]) expect(lines).toContainEqual(expect.stringMatching(line));
    }
    expect(lines.join()).not.toMatch(/example|made-up/);
  });

  test('counts a problem of an origin once, by its reason', async () => {
    running.site.write('mf-signup/release.json', '{');
    const line = 'daybook_release_problems_total{remote="mf-signup",reason="malformed"} 1';
    await eventually(async () => expect(await metrics()).toContain(line));
  });
});
