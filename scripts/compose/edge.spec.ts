import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { errorBodySchema } from '@daybook/contract/api';
import { findFreePort } from '@daybook/runner/ports';
import { eventually } from '@daybook/testing/eventually';
import { findNginx, startEdge } from '@daybook/testing/nginx';
import { type SiteResponse, send } from '@daybook/testing/send';
import { afterAll, describe, expect, it } from '@jest/globals';
import { maxUpload } from '../../shell/server/publish/publish.ts';

const program = findNginx();
const started = new AsyncDisposableStack();
afterAll(() => started.disposeAsync());

/** Starts a server, by default on a free port; returns its URL. */
async function start(server: Server | HttpServer, port = 0): Promise<string> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  started.defer(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server, by default one whose responses are empty; returns its URL. */
const listen = (listener: RequestListener = (_request, response) => void response.end()) =>
  start(createServer({ maxHeaderSize: 32_768 }, listener));

/** Connects with a server, which may reset the connection. */
const connectTo = (url: string) => connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);

/** Makes a folder for the edge's files, its `access.log` among them. */
function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-edge-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the edge in front of a shell server, which is the backend too unless there are others. */
async function startInFront(
  shell: string | readonly string[],
  { proxies = '', limit = 1_000_000, folder = makeFolder(), backends = [shell].flat() } = {},
): Promise<string> {
  const variables = { PROXY_ADDRESSES: proxies, LIMIT_NETWORK_REQUESTS: String(limit) };
  return (await startEdge(program ?? '', started, folder, shell, variables, backends)).url;
}

const readLog = (folder: string) => readFileSync(path.join(folder, 'access.log'), 'utf8');

/** Starts the edge in front of a server that numbers its responses, and lets all but those below /nowhere be cached. */
async function startCaching(): Promise<string> {
  let count = 0;
  const shell = await listen(({ url }, response) => {
    count += 1;
    if (!url?.startsWith('/nowhere')) response.setHeader('X-Accel-Expires', '60');
    response.setHeader('ETag', `"${count}"`).setHeader('Content-Length', 9).end(String(count).padStart(9, '0'));
  });
  return startInFront(shell);
}

const echoing = new Map<string, Promise<string>>();
/** Starts an edge in front of two servers that return the name of their part and what reached them. */
function startEchoing(proxies = ''): Promise<string> {
  const echo = (part: string) =>
    listen((request, response) => {
      const { url, headers } = request;
      request.resume().on('end', () => response.end(JSON.stringify({ part, url, headers })));
    });
  const begin = async () => startInFront(await echo('shell'), { backends: [await echo('backend')], proxies });
  const edge = echoing.get(proxies) ?? begin();
  echoing.set(proxies, edge);
  return edge;
}

/** Sends raw bytes; returns the response. */
async function sendBytes(edge: string, bytes: string): Promise<string> {
  const socket = connectTo(edge);
  socket.write(bytes);
  return text(socket);
}
const request =
  (method: string, headers: string, body = '') =>
  (url: string) =>
    `${method} ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`;

(program === undefined ? describe.skip : describe)('the edge', () => {
  describe('caches', () => {
    it('what the shell allows, for each encoding and whatever the query', async () => {
      const edge = await startCaching();
      const get = (page: string, encoding = 'gzip') => send(edge, page, { headers: { 'Accept-Encoding': encoding } });
      const [first, second] = [await get('/terms'), await get('/terms?a=1')];
      expect(second.text).toBe(first.text);
      expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
      expect(first.headers).not.toHaveProperty('x-accel-expires');
      expect((await get('/terms', 'br')).text).not.toBe(first.text);
      for (const page of ['/nowhere', '/_releases', '/_reports', '/_preview/a', '/api/waitlist', '/api/docs'])
        expect([page, (await get(page)).text]).not.toEqual([page, (await get(page)).text]);
      const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': first.headers.etag };
      const unchanged = await send(edge, '/terms', { headers });
      expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
    });

    it.each([
      ['gzip, br', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['gzip;q=0.5', 'gzip'],
      ['zstd', 'identity'],
      ['br;q=0.000,gzip;q=0', 'identity'],
      ['brotli, xgzip', 'identity'],
    ])('for a client that accepts %j the encoding %s', async (accepted, encoding) => {
      const { text: echoed } = await send(await startEchoing(), '/terms', { headers: { 'Accept-Encoding': accepted } });
      expect(JSON.parse(echoed).headers['accept-encoding']).toBe(encoding);
    });

    it('immutable files, and asks again for a missing one', async () => {
      let requests = 0;
      const shell = await listen(({ url }, response) => {
        requests += 1;
        if (url === '/assets/missing.js') return void response.writeHead(404).end();
        response.writeHead(200, { 'Cache-Control': 'max-age=31536000, immutable' }).end(String(requests));
      });
      const edge = await startInFront(shell);
      const { text: content } = await send(edge, '/assets/a.js');
      expect((await send(edge, '/assets/a.js?v=2')).text).toBe(content);
      const before = requests;
      for (let times = 0; times < 2; times += 1) expect((await send(edge, '/assets/missing.js')).status).toBe(404);
      expect(requests).toBeGreaterThanOrEqual(before + 2);
    });

    it('nothing for who previews a release', async () => {
      const edge = await startCaching();
      const previewing = { headers: { Cookie: 'preview=mf-legal%401.0.0-aaaaaaaaaaaa' } };
      const get = async (sent = {}) => (await send(edge, '/terms', sent)).text;
      const before = await get(previewing);
      const stored = await get();
      expect(new Set([before, stored, await get(previewing), await get(previewing)]).size).toBe(4);
      expect(await get()).toBe(stored);
    });
  });

  it.each(['refuses connections', 'responds with 500', 'responds with 503', 'has no address'])(
    'serves pages and files seen before while the shell %s, also a new edge',
    async (failure) => {
      let isFailing = false;
      const shell = createServer((_request, response) => {
        if (isFailing) return void response.writeHead(failure.endsWith('500') ? 500 : 503).end();
        const headers = { 'X-Accel-Expires': `@${Math.floor(Date.now() / 1000)}` };
        response.writeHead(200, headers).end(String(Math.random()));
      });
      const url = await start(shell);
      const [folder, another, backends] = [makeFolder(), makeFolder(), [await listen()]];
      const edge = await startInFront(url, { backends, folder });
      const paths = ['/terms', '/assets/a.js'];
      const seen = await Promise.all(paths.map(async (page) => (await send(edge, page)).text));
      isFailing = true;
      if (failure === 'refuses connections') shell.close().closeAllConnections();
      cpSync(folder, another, { recursive: true });
      // What nginx does without a DNS record.
      const without = failure === 'has no address' ? 'http://0.0.0.0:1' : url;
      const anotherEdge = await startInFront(without, { backends, folder: another });
      await eventually(async () => {
        for (const [index, page] of paths.entries()) {
          const stale = await send(anotherEdge, page);
          expect([page, stale.status, stale.text]).toEqual([page, 200, seen[index]]);
        }
        expect(readLog(another)).toContain('"cache":"STALE"');
      });
      if (failure.startsWith('responds')) return;
      const unseen = await send(anotherEdge, '/nowhere');
      expect([unseen.status, unseen.headers['retry-after']]).toEqual([503, '3']);
      expect(unseen.text).toContain('<meta http-equiv="refresh" content="3">');
      expect((await send(anotherEdge, '/api/x')).status).toBe(200);
    },
  );

  describe('in its log', () => {
    it('has the path without query and emails, cut at 100 printable characters', async () => {
      const folder = makeFolder();
      // Unlike Node, accepts any character in a path.
      const response = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';
      const shell = await start(createTcpServer((socket) => socket.on('data', () => socket.write(response))));
      const edge = await startInFront(shell, { folder });
      const paths = [
        '/a"b',
        '/a\\b',
        '/a\u009bb',
        '/a\u202eb',
        '/a%1bb',
        '/a?b=c@d.example',
        '/a%40b.example?c',
        '/a@b',
      ];
      for (const each of [...paths, `/${'x'.repeat(4_000)}`])
        await sendBytes(edge, request('GET', 'Referer: /\u009b\r\nUser-Agent: \u009b\r\n')(each));
      const lines = await eventually(() => {
        expect(readLog(folder)).toContain('/xxx');
        return readLog(folder).trim().split('\n');
      });
      const logged = ['/a"b', '/a\\b', '/a', '/a', '/a%1bb', '/a', '[address]', '[address]', `/${'x'.repeat(99)}`];
      expect(lines.slice(-logged.length).map((line) => JSON.parse(line).path)).toEqual(logged);
      expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/);
      expect(lines.join('')).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
    });

    it('has at most 60 kB a second of one network', async () => {
      const folder = makeFolder();
      const edge = await startInFront(await listen(), { folder, limit: 12_000 });
      const begun = performance.now();
      const long = `/${'x'.repeat(200)}`;
      const malformed = ['GET / HTTP/9.9', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip', 'TRACE / HTTP/1.0'];
      for (let batch = 0; batch < 100; batch += 1)
        await Promise.all([
          ...Array.from({ length: 30 }, () => send(edge, long)),
          ...malformed.map((line) => sendBytes(edge, `${line}\r\n\r\n`)),
        ]);
      const seconds = (performance.now() - begun) / 1_000;
      await eventually(() => expect(readLog(folder).length).toBeGreaterThan(100_000));
      // The burst, and what the rate allows.
      expect(readLog(folder).length / 300).toBeLessThan(1_000 + 200 * (seconds + 2));
    });
  });

  describe('the client', () => {
    it.each([
      ['', '203.0.113.7', '127.0.0.1'],
      ['127.0.0.1', '198.51.100.6, 203.0.113.7', '203.0.113.7'],
      ['127.0.0.1', '198.51.100.6, [2001:db8::7]:443', '2001:db8::7'],
      ['127.0.0.1 192.0.2.0/24', '198.51.100.6, 203.0.113.7:4711, 192.0.2.1', '203.0.113.7'],
      ['192.0.2.0/24', '203.0.113.7', '127.0.0.1'],
      ['127.0.0.1', '198.51.100.6, unknown', '127.0.0.1'],
    ])('with PROXY_ADDRESSES=%j and X-Forwarded-For %j is %s', async (proxies, forwarded, client) => {
      const { text: echoed } = await send(await startEchoing(proxies), '/', {
        headers: { 'X-Forwarded-For': forwarded },
      });
      expect(JSON.parse(echoed).headers['x-forwarded-for']).toBe(client);
    });

    it('cannot set the headers that the servers trust', async () => {
      const edge = await startEchoing();
      const stated = {
        'X-Forwarded-For': '203.0.113.7',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'evil.example',
        'X-Request-Id': 'stated',
      };
      const { headers, text: echoed } = await send(edge, '/api/waitlist', { headers: { ...stated, 'Sec-GPC': '1' } });
      const received = JSON.parse(echoed).headers;
      expect(received).toMatchObject({ host: new URL(edge).host, 'x-forwarded-for': '127.0.0.1', 'sec-gpc': '1' });
      expect(received).not.toHaveProperty('x-forwarded-proto');
      expect(received).not.toHaveProperty('x-forwarded-host');
      expect(received['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
      expect(headers['x-request-id']).toBe(received['x-request-id']);
    });

    it('may send 9 kB of cookies', async () => {
      const Cookie = `bucket=7; foreign=${'x'.repeat(9_000)}; waitlist=8.a%2Fb`;
      for (const page of ['/terms', '/api/waitlist', '/_releases']) {
        const { text: echoed } = await send(await startEchoing(), page, { headers: { Cookie } });
        expect(JSON.parse(echoed).headers.cookie).toBe(Cookie);
      }
    });
  });

  it.each([
    ['/api/waitlist', 'backend'],
    ['/api/docs/static/swagger-ui.css', 'backend'],
    ['/api?x', 'backend'],
    ['/%61pi/waitlist', 'backend'],
    ['/nowhere/../api/waitlist', 'backend'],
    ['/', 'shell'],
    ['/api-docs', 'shell'],
    ['/API/waitlist', 'shell'],
    ['/_releases', 'shell'],
    ['/readyz', 'shell'],
    ['/metrics', 'shell'],
    // The counters of the edge are at another port.
    ['/status', 'shell'],
    ['/api/../metrics', 'shell'],
    ['/api/..%2fmetrics', 'shell'],
    ['/api/%2e%2e/readyz', 'shell'],
  ])('sends %s to the %s, with its URL unchanged', async (url, part) => {
    const response = JSON.parse((await send(await startEchoing(), url)).text);
    expect(response).toMatchObject({ part, url });
  });

  it.each([
    [400, 'a second host', request('GET', 'Host: y\r\n')],
    [400, 'two framings', request('POST', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
    [413, 'a long body', request('POST', 'Content-Length: 200000\r\n', 'a'.repeat(200_000))],
    [414, 'a long URL', (url: string) => request('GET', '')(`${url}/${'x'.repeat(20_000)}`)],
    [431, '40 kB of cookies', request('GET', `Cookie: ${'y'.repeat(40_000)}\r\n`)],
    [431, 'many headers', request('GET', `X: ${'y'.repeat(7_000)}\r\n`.repeat(6))],
    [405, 'TRACE', request('TRACE', '')],
    [501, 'an unknown encoding', request('POST', 'Transfer-Encoding: gzip\r\n')],
    [505, 'an unknown version', (url: string) => `GET ${url} HTTP/9.9\r\nHost: x\r\n\r\n`],
  ])('responds with %d to %s: a page, or JSON to a call', async (status, _what, bytesOf) => {
    const edge = await startEchoing();
    const page = await sendBytes(edge, bytesOf('/terms'));
    expect(page).toMatch(/content-type: text\/html; charset=utf-8\r\n/i);
    expect(page).toMatch(/<title>[A-Z][^<]+ – Daybook<\/title>/);
    expect(page).toMatch(/<h1>[A-Z][^<]+<\/h1>\n<p>[A-Z][^<]+/);
    const call = await sendBytes(edge, bytesOf('/api/waitlist'));
    expect(call).toMatch(/content-type: application\/json\r\n/i);
    const body = errorBodySchema.parse(JSON.parse(call.slice(call.indexOf('\r\n\r\n'))));
    expect(body.statusCode).toBe(status);
    for (const response of [page, call]) {
      expect(response).toMatch(RegExp(`^HTTP/1.1 ${status} `));
      expect(response).toMatch(/^cache-control: no-store/im);
      expect(response).toMatch(/^x-content-type-options: nosniff/im);
      expect(response).not.toContain('<center>');
    }
  });

  it('passes on a probe in HTTP/1.0 without a host', async () => {
    const response = await sendBytes(await startEchoing(), 'GET /readyz HTTP/1.0\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1.1 200 /);
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n'))).headers.host).toBe('localhost');
  });

  it('lets one network hold 100 slow bodies, which reach no server', async () => {
    let calls = 0;
    const backend = await listen((incoming, response) => {
      calls += 1;
      incoming.resume().on('end', () => response.end());
    });
    const edge = await startInFront(await listen(), { proxies: '127.0.0.1', backends: [backend] });
    let rejected = 0;
    for (let index = 0; index < 130; index += 1) {
      const socket = connectTo(edge).once('data', () => (rejected += 1));
      // One customer, in many networks.
      const client = `2001:db8:7:${index.toString(16)}::1`;
      socket.write(`POST /api/x HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\nContent-Length: 9\r\n\r\n1`);
      started.defer(() => void socket.destroy());
    }
    await eventually(() => expect(rejected).toBe(30));
    const post = async (client: string) =>
      (await send(edge, '/api/x', { method: 'POST', headers: { 'X-Forwarded-For': client }, body: '{}' })).status;
    expect([await post('2001:db8:7:ffff::1'), calls]).toEqual([429, 0]);
    for (const other of ['203.0.113.8', '2001:db8:8::1']) expect([other, await post(other)]).toEqual([other, 200]);
  });

  it('counts the calls of each IPv4 address and of each IPv6 /48', async () => {
    const edge = await startInFront(await listen(), { proxies: '127.0.0.1', limit: 10 });
    const call = (ip: string) => send(edge, '/api/x', { headers: { 'X-Forwarded-For': ip } });
    /** Sends calls, 50 at once; returns those that were rejected. */
    const flood = async (ipOf: (index: number) => string) => {
      const responses: SiteResponse[] = [];
      for (let sent = 0; sent < 250; sent += 50)
        responses.push(...(await Promise.all(Array.from({ length: 50 }, (_, index) => call(ipOf(sent + index))))));
      return responses.filter(({ status }) => status === 429);
    };
    const rejected = await flood((index) => `198.51.100.${index}, 203.0.113.7`);
    expect(rejected.length).toBeGreaterThan(40);
    expect(rejected[0]?.headers['retry-after']).toBe('1');
    expect(errorBodySchema.parse(JSON.parse(rejected[0]?.text ?? '')).error).toBe('TOO_MANY_REQUESTS');
    expect((await flood((index) => `2001:db8:7:${index.toString(16)}::1`)).length).toBeGreaterThan(40);
    expect((await flood((index) => `2a00::${index.toString(16)}`)).length).toBeGreaterThan(40);
    for (const same of ['203.0.113.7:4711', '::ffff:203.0.113.7', '[2001:db8:7::1]:443', '2a00::ffff:0:1'])
      expect([same, (await call(same)).status]).toEqual([same, 429]);
    for (const other of ['203.0.113.8', '::ffff:203.0.113.8', '2001:db8:8::1', '2001:db9::', '2a01::1', '::1'])
      expect([other, (await call(other)).status]).toEqual([other, 200]);
  });

  it('takes large bodies for releases only', async () => {
    const edge = await startEchoing();
    const post = async (url: string, size: number) =>
      (await send(edge, url, { method: 'POST', body: Buffer.alloc(size, 'a') })).status;
    for (const url of ['/terms', '/_reports', '/_releases', '/_releases/api/mf-legal', '/api/x'])
      expect([url, await post(url, 40_000), await post(url, 41_000)]).toEqual([url, 200, 413]);
    const pushed = '/_releases/api/mf-legal/releases';
    expect([await post(pushed, maxUpload), await post(pushed, 66_000_000)]).toEqual([200, 413]);
  });

  it('sends a call to the other backend if one accepts no connections', async () => {
    const backend = await listen((_request, response) => void response.end('of the other'));
    const edge = await startInFront(backend, { backends: [`http://127.0.0.1:${await findFreePort()}`, backend] });
    for (let count = 0; count < 10; count += 1)
      expect((await send(edge, '/api/x', { method: 'POST', body: '{}' })).text).toBe('of the other');
  });

  it('never sends a POST twice, and a GET again, if a backend breaks the connection', async () => {
    const received = { POST: 0, GET: 0 };
    const rude = () =>
      listen(({ method, socket }) => {
        received[method as 'POST' | 'GET'] += 1;
        socket.destroy();
      });
    const edge = await startInFront(await listen(), { backends: [await rude(), await rude()] });
    for (const method of ['POST', 'GET'] as const) {
      const { status, text: sent, headers } = await send(edge, '/api/x', { method });
      expect([status, errorBodySchema.parse(JSON.parse(sent)).error]).toEqual([503, 'BACKEND_UNAVAILABLE']);
      expect(headers['retry-after']).toBe('3');
    }
    expect(received).toEqual({ POST: 1, GET: 2 });
  });

  it('asks the other shell server for a page that one responds with 503 to', async () => {
    const serve = (status: number) => listen((_request, response) => void response.writeHead(status).end(`${status}`));
    const edge = await startInFront([await serve(503), await serve(200)]);
    for (let count = 0; count < 10; count += 1) expect((await send(edge, `/${count}`)).text).toBe('200');
  });
});
