import { connect } from 'node:net';
import { docker } from '@daybook/testing/compose';
import { PlainLoad } from '@daybook/testing/plain-load';
import { expect, test } from '@playwright/test';
import { type Sent, type SiteResponse, send } from '../../shell/server/test/send.ts';
import * as stack from './stack.ts';

const site = process.env.SITE_ADDRESS ?? '';
const pages = ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you'];

const get = (path: string, headers: Sent['headers'] = {}) => send(site, path, { headers });

/** A line of the edge's access log. */
interface LogLine {
  readonly requestId: string;
  readonly cache: string;
}

const readLog = async () => docker('logs', '--tail', '3000', (await stack.inspect('edge')).Id);

/** Returns how the cache took part in responses; the log is written within a second. */
async function cacheOf(responses: readonly SiteResponse[]): Promise<readonly string[]> {
  let states: readonly (string | undefined)[] = [];
  await expect(async () => {
    const lines = (await readLog()).split('\n').filter((line) => line.startsWith('{'));
    const byId = new Map(
      lines.map((line) => JSON.parse(line) as LogLine).map(({ requestId, cache }) => [requestId, cache]),
    );
    states = responses.map(({ headers }) => byId.get(String(headers['x-request-id'])));
    expect(states).not.toContain(undefined);
  }).toPass({ timeout: 20_000 });
  return states.map(String);
}

const container = async (service: string) => {
  const { Id, State } = await stack.inspect(service);
  return [Id, State.StartedAt];
};

/** Recreates the edge with other settings. */
async function configure(settings: Readonly<Record<string, string>>): Promise<void> {
  stack.changeSettings(settings);
  await stack.compose('up', '--detach', '--wait', '--no-deps', 'edge');
  await expect.poll(async () => (await get('/')).status, { timeout: stack.healthTimeout }).toBe(200);
}

test('pages and the registry are cached for each encoding, whatever the query', async () => {
  for (const path of ['/terms', '/registry.json']) {
    await expect(async () => {
      const responses = [await get(path), await get(`${path}?a=1`), await get(path, { 'Accept-Encoding': 'br' })];
      expect((await cacheOf(responses)).slice(0, 2)).toEqual(['EXPIRED', 'HIT']);
      expect(responses[0]?.headers).not.toHaveProperty('x-accel-expires');
      for (const { headers } of responses) expect(headers['cache-control']).toBe('no-cache, no-transform');
      expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
    }).toPass({ timeout: 60_000 });
  }
  const encodings = ['gzip, br', 'br;q=0, gzip', 'gzip;q=0.5', 'zstd', 'br;q=0.000,gzip;q=0', 'brotli, xgzip'];
  const sent = await Promise.all(encodings.map((each) => get('/terms', { 'Accept-Encoding': each })));
  expect(sent.map(({ headers }) => headers['content-encoding'])).toEqual([
    'br',
    'gzip',
    'gzip',
    undefined,
    undefined,
    undefined,
  ]);
});

test('a conditional request gets 304, and HEAD no body', async () => {
  const { headers, body } = await get('/terms');
  const unchanged = await get('/terms', { 'If-None-Match': headers.etag });
  expect([unchanged.status, unchanged.body.length, unchanged.headers.etag]).toEqual([304, 0, headers.etag]);
  const head = await send(site, '/terms', { method: 'HEAD' });
  expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, String(body.length)]);
});

test('no request changes what the next visitor gets from the cache', async () => {
  const hostile: readonly (Sent & { readonly path?: (page: string) => string })[] = [
    { headers: { Host: 'evil.example' } },
    { headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'gopher', 'X-Forwarded-For': 'x' } },
    { headers: { Range: 'bytes=0-9' } },
    { headers: { Cookie: 'bucket=0', Authorization: 'Bearer x' } },
    { headers: { 'If-None-Match': '*' } },
    { headers: { 'Accept-Encoding': 'identity;q=0, br;q=0' } },
    { headers: { 'X-Original-URL': '/nowhere', 'X-Rewrite-URL': '/nowhere', 'X-HTTP-Method-Override': 'POST' } },
    { method: 'HEAD' },
    { headers: { 'X-Accel-Expires': '9999', 'Cache-Control': 'max-age=9999' } },
    { path: (page) => `http://evil.example${page}` },
    { path: (page) => `/${page}` },
    { path: (page) => `${page}?page=/nowhere#/nowhere` },
    { path: (page) => page.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`) },
    { path: (page) => `/%2f${page.slice(1)}` },
  ];
  const { remotes } = JSON.parse((await get('/registry.json')).text);
  const paths: string[] = remotes.flatMap(({ routes }: { routes: { path: string }[] }) =>
    routes.map(({ path }) => path).filter((path) => path !== '/'),
  );
  expect(paths.length).toBeGreaterThan(hostile.length);
  const kept = ({ status, headers, text }: SiteResponse) => {
    const { date: _date, 'x-request-id': _id, ...others } = headers;
    return { status, headers: others, text };
  };
  const before = await Promise.all(paths.map((path) => get(path)));
  // Each request with its own page; the first of a second reaches the shell, the next one gets what is stored.
  const stored = new Set<number>();
  await expect(async () => {
    const pairs: SiteResponse[] = [];
    for (const [index, { path = (page: string) => page, ...request }] of hostile.entries()) {
      const page = paths[index] ?? '';
      pairs.push(await send(site, path(page), request), await get(page));
      expect(kept(pairs.at(-1) as SiteResponse), JSON.stringify(hostile[index])).toEqual(
        kept(before[index] as SiteResponse),
      );
    }
    const states = await cacheOf(pairs);
    for (const index of hostile.keys()) if (/EXPIRED|MISS/.test(states[2 * index] ?? '')) stored.add(index);
    expect([...stored].sort((one, other) => one - other)).toEqual([...hostile.keys()]);
  }).toPass({ timeout: 120_000 });
});

test('operators’ pages, metrics, probes, the API, errors and redirects are never cached', async () => {
  const paths = ['/_releases', '/metrics', '/healthz', '/readyz', '/api/docs', '/nowhere', '/terms/', '/assets/a.js'];
  const responses: SiteResponse[] = [];
  for (const path of [...paths, ...paths]) responses.push(await get(path));
  expect(responses.slice(0, paths.length).map(({ status }) => status)).toEqual([
    401, 401, 200, 200, 200, 404, 308, 404,
  ]);
  for (const state of await cacheOf(responses)) expect(['', 'MISS']).toContain(state);
  const redirect = await get('/terms/?from=ada');
  expect(redirect.headers.location).toBe('/terms?from=ada');
});

test('immutable files come from the cache, and a missing one is requested again', async () => {
  const [file = ''] = (await get('/')).text.match(/\/assets\/[^"]+\.js/) ?? [];
  const responses = [await get(file), await get(file), await get(`${file}?v=2`)];
  const whole = responses[0]?.body;
  expect((await cacheOf(responses)).slice(1)).toEqual(['HIT', 'HIT']);
  for (const { body, headers } of responses) {
    expect(body).toEqual(whole);
    expect(headers['cache-control']).toContain('immutable');
  }
  const part = await get(file, { Range: 'bytes=0-9' });
  expect([part.status, part.body]).toEqual([206, whole?.subarray(0, 10)]);
});

test('no page view fails while the shell is restarted, killed and replaced under load', async () => {
  const edge = await container('edge');
  const load = new PlainLoad(site, pages);
  const loaded = async () => {
    const before = load.requests;
    await expect.poll(() => load.requests, { timeout: stack.healthTimeout }).toBeGreaterThan(before + 200);
  };
  await loaded();
  await stack.compose('restart', 'shell');
  await loaded();
  await stack.compose('kill', 'shell');
  await loaded();
  await stack.compose('start', 'shell');
  await stack.expectHealth('shell').toBe('healthy');
  const before = await container('shell');
  await stack.compose('up', '--detach', '--wait', '--force-recreate', '--no-deps', 'shell');
  await loaded();
  await load.stop();
  expect(load.failures).toEqual([]);
  expect(await container('shell')).not.toEqual(before);
  expect(await container('edge')).toEqual(edge);
  await expect.poll(async () => (await get('/readyz')).status, { timeout: stack.healthTimeout }).toBe(200);
});

test('without the shell, pages seen before are served, also by a new edge; others get 503, and calls work', async () => {
  const page = await get('/terms');
  await stack.compose('kill', 'shell');
  await expect(async () => {
    const stale = await get('/terms');
    expect([stale.status, stale.text]).toEqual([200, page.text]);
    // Until the second of the kill ends, it is fresh.
    expect(await cacheOf([stale])).toEqual(['STALE']);
  }).toPass({ timeout: 60_000 });
  await stack.compose('up', '--detach', '--wait', '--force-recreate', '--no-deps', 'edge');
  const stale = await get('/terms');
  expect([stale.status, stale.text]).toEqual([200, page.text]);
  const unseen = await get('/nowhere');
  expect([unseen.status, unseen.headers['retry-after']]).toEqual([503, '3']);
  expect(unseen.text).toContain('<meta http-equiv="refresh" content="3">');
  expect((await get('/api/docs/openapi.json')).status).toBe(200);
  await stack.compose('start', 'shell');
  await stack.expectHealth('shell').toBe('healthy');
  await expect(async () => expect(await cacheOf([await get('/terms')])).toEqual(['EXPIRED'])).toPass();
});

test.describe('attacked by slow clients', () => {
  /** Memory in MB of the edge's processes, tmpfs and sockets, which its limit kills it for. */
  async function memoryOfEdge(): Promise<number> {
    const files = '/sys/fs/cgroup/memory.stat /sys/fs/cgroup/memory/memory.stat';
    const stat = await stack.exec('edge', 'sh', '-c', `cat ${files} 2>/dev/null || true`);
    const counted = [...stat.matchAll(/^(?:anon|shmem|sock|total_rss|total_shmem) (\d+)$/gm)];
    return counted.reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 1_000_000;
  }

  /** Opens connections that send bytes, and then read and write nothing; returns the statuses of those with a response. */
  // Not more than 2,400 at once: Docker's own proxy uses six of its open files for each.
  async function openSlow(count: number, bytesOf: (index: number) => string) {
    const { hostname, port } = new URL(site);
    const sockets = Array.from({ length: count }, (_, index) => {
      const socket = connect(Number(port), hostname);
      // The edge ends connections that it rejects.
      socket.on('error', () => undefined).write(bytesOf(index));
      return socket;
    });
    const statuses = new Map<number, number>();
    for (const [index, socket] of sockets.entries())
      socket.once('readable', () => {
        const start = String(socket.read(12) ?? '');
        if (start) statuses.set(index, Number(start.slice(9)));
      });
    return { statuses, end: () => sockets.map((socket) => socket.destroy()) };
  }

  /** Returns the growth of the edge's memory in MB after it has stopped growing. */
  async function growthDuring(before: number): Promise<number> {
    const measured: number[] = [];
    await expect(async () => {
      measured.push((await memoryOfEdge()) - before);
      const [earlier = 0, latest = 0] = [measured.at(-4), measured.at(-1)];
      expect(measured.length).toBeGreaterThan(15);
      expect(latest - earlier).toBeLessThan(1);
    }).toPass({ timeout: 60_000, intervals: [200] });
    return Math.max(...measured);
  }

  // With the default limits.
  test.beforeAll(() => configure({ TRUSTED_PROXIES: '1', LIMIT_NETWORK_REQUESTS: '' }));
  test.afterAll(() => configure({ TRUSTED_PROXIES: '0', LIMIT_NETWORK_REQUESTS: '1000000' }));

  test('400 readers of a file of 1.7 MB, and of one that is not cached, take at most 60 MB', async () => {
    const file = 'swagger-ui-bundle.js';
    expect((await get(`/api/docs/static/${file}`)).body.length).toBeGreaterThan(1_000_000);
    const before = await memoryOfEdge();
    for (const spelling of [file, file.replace('.', '%2e')]) {
      const slow = await openSlow(
        400,
        () => `GET /api/docs/static/${spelling} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n`,
      );
      await expect.poll(() => slow.statuses.size, { timeout: 60_000 }).toBe(400);
      const growth = await growthDuring(before);
      console.log(`400 readers of ${spelling}: ${growth.toFixed(1)} MB`);
      // How many are rejected depends on how much of the file the machine's own buffers take.
      expect([...slow.statuses.values()].filter((status) => ![200, 429].includes(status))).toEqual([]);
      expect((await get('/terms', { 'X-Forwarded-For': '203.0.113.8' })).status).toBe(200);
      slow.end();
      expect(growth).toBeLessThan(60);
    }
  });

  test('2,400 bodies from 12 networks, to pages and to the API, take at most 250 MB', async () => {
    for (const path of ['/terms', '/_reports', '/api/waitlist']) {
      const before = await memoryOfEdge();
      const slow = await openSlow(2_400, (index) => {
        const client = `X-Forwarded-For: 203.0.113.${index % 12}`;
        const body = 'x'.repeat(95_000);
        return `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${client}\r\nContent-Length: 100000\r\n\r\n${body}`;
      });
      const growth = await growthDuring(before);
      console.log(`2,400 bodies to ${path}: ${growth.toFixed(1)} MB, ${slow.statuses.size} rejected`);
      expect([...slow.statuses.values()].filter((status) => ![413, 429].includes(status))).toEqual([]);
      // Visitors of other networks still get pages.
      expect((await get('/terms', { 'X-Forwarded-For': '203.0.113.77' })).status).toBe(200);
      slow.end();
      // 1,000 of them at once, of 100 kB and buffers.
      expect(growth).toBeLessThan(250);
    }
  });
});
