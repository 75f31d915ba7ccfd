import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Drain } from '@daybook/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import Fastify from 'fastify';
import { eventually } from '../test/eventually.ts';
import { bearer, operatorToken } from '../test/operator.ts';
import { type RunningSite, startRunningSite } from '../test/running-site.ts';
import { send } from '../test/send.ts';
import { compressedEntry, releaseOf, routeOf, type TemporarySite } from '../test/temporary-site.ts';
import { ResponseCache } from './response-cache.ts';

const legal = releaseOf('mf-legal', {
  routes: [routeOf('/terms')],
  files: compressedEntry,
});
const entry = '/remotes/mf-legal/1.0.0-00000001/remoteEntry.00000001.js';
const script = '/assets/shell.0a1b2c3d.js';

/** Addresses of the requests that went to routes and hooks. */
let routed: (string | undefined)[] = [];

/** Lets a test see which requests are left to routes and hooks. */
function watchRouted(): void {
  const { inFrontOf } = ResponseCache.prototype;
  jest.spyOn(ResponseCache.prototype, 'inFrontOf').mockImplementation(function watched(
    this: ResponseCache,
    ordinary: RequestListener,
  ) {
    return inFrontOf.call(this, (request, response) => {
      routed.push(request.url);
      ordinary(request, response);
    });
  });
}

let drain: Drain;
let running: RunningSite;
beforeAll(async () => {
  watchRouted();
  drain = new Drain();
  running = await startRunningSite({
    prepare: (site) => {
      site.release(legal, 'the terms');
      site.release(releaseOf('mf-signup', { routes: [routeOf('/')] }));
    },
    // At LOG_LEVEL=debug, which a developer may have set, each request is told.
    variables: { OPERATOR_TOKEN: operatorToken, TRUSTED_PROXIES: '1', LOG_LEVEL: 'silent' },
    drain,
  });
});
afterAll(async () => {
  await running.stop();
  jest.restoreAllMocks();
});
beforeEach(() => {
  routed = [];
});

/** Sends lines as they are over a connection of their own, and gives the answer byte by byte. */
async function ask(...lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(running.address).port), '127.0.0.1');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  return (await buffer(socket)).toString('latin1');
}

const withoutIdAndDate = (answer: string) => answer.replace(/^(x-request-id|date): .*$/gim, '$1');

/** Asks until the answer is one that was ready. */
async function askReady(...lines: readonly string[]): Promise<string> {
  let answer = '';
  await eventually(async () => {
    routed = [];
    answer = await ask(...lines);
    expect(routed).toEqual([]);
  });
  return answer;
}

describe('an answer that was given a moment ago', () => {
  test.each([
    ['GET /terms HTTP/1.1', 'Host: x'],
    ['GET /terms?from=mail HTTP/1.1', 'Host: x', 'Accept-Encoding: identity'],
    ['GET / HTTP/1.1', 'Host: x', 'Accept-Encoding: gzip, br', 'Cookie: bucket=7'],
    ['GET / HTTP/1.0', 'Host: x', 'Accept-Encoding: gzip'],
    [`GET ${entry} HTTP/1.1`, 'Host: x'],
    [`GET ${entry} HTTP/1.1`, 'Host: x', 'Accept-Encoding: br'],
    [`GET ${entry} HTTP/1.1`, 'Host: x', 'Accept-Encoding: gzip;q=0.5'],
    [`GET ${script} HTTP/1.1`, 'Host: x', 'Accept-Encoding: gzip, deflate, br, zstd'],
  ])('is given again byte by byte: %s %s %s', async (...lines) => {
    const routedAnswer = await ask(...lines);
    expect(routed).toHaveLength(1);
    expect(routedAnswer).toMatch(/^HTTP\/1.1 200 OK\r\nx-request-id: /);
    expect(withoutIdAndDate(await askReady(...lines))).toBe(withoutIdAndDate(routedAnswer));
  });

  test('is without a body where the browser has it', async () => {
    const etag = String((await send(running.address, '/terms')).headers.etag);
    const lines = ['GET /terms HTTP/1.1', 'Host: x', `If-None-Match: ${etag}`];
    const routedAnswer = await ask(...lines);
    expect(routedAnswer).toMatch(/^HTTP\/1.1 304 /);
    expect(withoutIdAndDate(await askReady(...lines))).toBe(withoutIdAndDate(routedAnswer));
  });

  test('has an id of its own, or that of the proxy in front', async () => {
    const idIn = (answer: string) => /^x-request-id: (.*)$/m.exec(answer)?.[1]?.trim();
    const lines = ['GET /terms HTTP/1.1', 'Host: x', 'Accept-Encoding: br'];
    const ids = [await ask(...lines), await askReady(...lines), await askReady(...lines)].map(idIn);
    expect(new Set(ids).size).toBe(3);
    expect(idIn(await askReady(...lines, 'X-Request-Id: k3j2'))).toBe('k3j2');
  });

  test('is counted as any other', async () => {
    const counts = async () => {
      const { text } = await send(running.address, '/metrics', { headers: bearer });
      const countIn = (line: string) => Number(text.split(`${line} `)[1]?.split('\n')[0] ?? 0);
      return [
        'daybook_page_views_total{remote="mf-legal",version="1.0.0-00000001"}',
        'daybook_shell_requests_total{kind="page",method="GET",status="200"}',
        'daybook_shell_requests_total{kind="file",method="GET",status="200"}',
        'daybook_shell_request_duration_seconds_count{kind="page"}',
      ].map(countIn);
    };
    const before = await counts();
    for (const path of ['/terms', '/terms', entry, '/terms', entry, entry, '/terms']) {
      await send(running.address, path, { headers: { 'Accept-Encoding': 'br' } });
    }
    await eventually(async () => {
      const after = await counts();
      expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([4, 4, 3, 4]);
    });
  });
});

describe('routes and hooks answer each time', () => {
  test.each([
    ['HEAD /terms HTTP/1.1', 'Host: x'],
    ['POST /terms HTTP/1.1', 'Host: x', 'Content-Length: 0'],
    ['GET /terms HTTP/1.1'],
    [`GET /terms?${'x'.repeat(5_000)} HTTP/1.1`, 'Host: x'],
    ['GET /terms/ HTTP/1.1', 'Host: x'],
    ['GET /nowhere HTTP/1.1', 'Host: x'],
    ['GET /healthz HTTP/1.1', 'Host: x'],
    ['GET /registry.json HTTP/1.1', 'Host: x'],
    [`GET ${entry} HTTP/1.1`, 'Host: x', 'Range: bytes=0-3'],
    [`GET ${entry} HTTP/1.1`, 'Host: x', 'If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT'],
    [`GET ${entry}.map HTTP/1.1`, 'Host: x'],
  ])('%.40s %s %s', async (...lines) => {
    await ask('GET /terms HTTP/1.1', 'Host: x');
    await ask(`GET ${entry} HTTP/1.1`, 'Host: x');
    routed = [];
    const answer = await ask(...lines);
    expect(withoutIdAndDate(await ask(...lines))).toBe(withoutIdAndDate(answer));
    expect(routed).toHaveLength(2);
  });

  test('where every request is traced, and in development', async () => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const standing = jest.mocked(ResponseCache.prototype.inFrontOf).mock.calls;
    const before = standing.length;
    for (const variables of [{ DEVELOPMENT: 'true' }, collector]) {
      const prepare = (site: TemporarySite) => site.release(legal);
      const other = await startRunningSite({ prepare, variables: { LOG_LEVEL: 'silent', ...variables } });
      for (let times = 0; times < 3; times++) expect((await send(other.address, '/terms')).status).toBe(200);
      expect(standing).toHaveLength(before);
      await other.stop();
    }
  });
});

describe('a new release', () => {
  let other: RunningSite | undefined;
  afterEach(async () => {
    await other?.stop();
  });

  test('is on each page from the moment that the registry has it', async () => {
    other = await startRunningSite({ prepare: (site) => site.release(legal), variables: { LOG_LEVEL: 'silent' } });
    const { address, site } = other;
    await send(address, '/terms');
    site.release({ ...legal, version: '1.0.1-00000002' });
    await eventually(async () => {
      const page = send(address, '/terms');
      expect((await send(address, '/registry.json')).text).toContain('1.0.1-00000002');
      await page;
    });
    expect((await send(address, '/terms')).text).toContain('/remotes/mf-legal/1.0.1-00000002/');
  });
});

describe('a server that is about to stop', () => {
  test('ends each connection with its answer', async () => {
    const get = () => send(running.address, '/terms', { headers: { Connection: 'keep-alive' } });
    await get();
    expect((await get()).headers.connection).toBe('keep-alive');
    drain.begin();
    expect((await get()).headers.connection).toBe('close');
  });

  test('ends the connection of an answer that is still being written', async () => {
    const stopping = new Drain();
    const responseCache = new ResponseCache({ drain: stopping, isProxyTrusted: false });
    const app = Fastify();
    responseCache.standInFrontOf(app);
    const given = Promise.withResolvers<void>();
    app.get('/', (_request, reply) => {
      responseCache.offer(reply, { isCurrent: () => true, onGiven: given.resolve });
      return reply.send(Buffer.alloc(20_000_000));
    });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    await send(address, '/');
    // Nothing is read yet, and no socket holds so much.
    const socket = connect(Number(new URL(address).port), '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await given.promise;
    stopping.begin();
    expect((await buffer(socket)).length).toBeGreaterThan(20_000_000);
    await app.close();
  });
});
