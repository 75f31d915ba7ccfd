import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { errorBodySchema } from '@daybook/contract/api';
import { eventually } from '@daybook/testing/eventually';
import { findNginx, startEdge } from '@daybook/testing/nginx';
import { findFreePort } from '@daybook/testing/ports';
import { send } from '@daybook/testing/send';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { maxUpload } from '../../shell/server/publish/publish.ts';

const program = findNginx();
const started = new AsyncDisposableStack();
afterAll(() => started.disposeAsync());

/** Starts a server, by default one whose responses are empty; returns its URL. */
async function listen(listener: RequestListener = (_request, response) => void response.end()): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  started.defer(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that returns its name and what reached it. */
const echo = (part: string) =>
  listen((request, response) => {
    const { url, headers } = request;
    request.resume().on('end', () => response.end(JSON.stringify({ part, url, headers })));
  });

const makeFolder = () => started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-edge-'))).path;
const readLog = (folder: string) => readFileSync(path.join(folder, 'access.log'), 'utf8');

/** Starts the edge in front of a shell server, which is the backend too unless there are others. */
async function startInFront(
  shell: string | readonly string[],
  { proxies = '', limit = 1_000_000, folder = makeFolder(), backends = [shell].flat() } = {},
): Promise<string> {
  const variables = { PROXY_ADDRESSES: proxies, LIMIT_NETWORK_REQUESTS: String(limit) };
  return (await startEdge(program ?? '', started, folder, shell, variables, backends)).url;
}

/** Sends bytes to a server, which may reset the connection. */
function sendSlowly(edge: string, bytes: string) {
  const socket = connect(Number(new URL(edge).port), '127.0.0.1').on('error', () => undefined);
  socket.write(bytes);
  return socket;
}
const sendBytes = (edge: string, bytes: string) => text(sendSlowly(edge, bytes));

const request =
  (method: string, headers = '', body = '') =>
  (url: string) =>
    `${method} ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`;

(program === undefined ? describe.skip : describe)('the edge', () => {
  let echoing: string;
  let caching: string;
  beforeAll(async () => {
    echoing = await startInFront(await echo('shell'), { backends: [await echo('backend')] });
    let count = 0;
    const numbering = await listen(({ url = '' }, response) => {
      count += 1;
      if (url === '/assets/missing.js') response.statusCode = 404;
      else if (url.startsWith('/assets/')) response.setHeader('Cache-Control', 'max-age=31536000, immutable');
      else if (url !== '/nowhere') response.setHeader('X-Accel-Expires', '60');
      response.setHeader('X-Request-Id', 'stored').setHeader('Vary', 'Cookie').setHeader('ETag', `"${count}"`);
      response.end(String(count));
    });
    caching = await startInFront(numbering);
  });
  const echoed = async (url: string, sent = {}, edge = echoing) => JSON.parse((await send(edge, url, sent)).text);

  describe('caches', () => {
    const get = (page: string, headers = {}) =>
      send(caching, page, { headers: { 'Accept-Encoding': 'gzip', ...headers } });

    it('what the shell allows, for each encoding and whatever the query', async () => {
      const [first, second] = [await get('/terms'), await get('/terms?a=1')];
      expect(second.text).toBe(first.text);
      expect(second.headers['x-request-id']).not.toContain('stored');
      expect((await get('/terms', { 'Accept-Encoding': 'br' })).text).not.toBe(first.text);
      const unchanged = await get('/terms', { 'If-None-Match': first.headers.etag });
      expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
      for (const page of ['/nowhere', '/_releases', '/_reports', '/_preview/a', '/api/waitlist'])
        expect([page, (await get(page)).text]).not.toEqual([page, (await get(page)).text]);
    });

    it('immutable files, and asks again for a missing one', async () => {
      expect((await get('/assets/a.js?v=2')).text).toBe((await get('/assets/a.js')).text);
      expect((await get('/assets/missing.js')).text).not.toBe((await get('/assets/missing.js')).text);
    });

    it('nothing for who previews a release', async () => {
      const previewing = { Cookie: 'preview=mf-legal%401.0.0-aaaaaaaaaaaa' };
      const texts = [await get('/faq', previewing), await get('/faq'), await get('/faq', previewing)];
      expect(new Set(texts.map(({ text }) => text)).size).toBe(3);
    });
  });

  it.each([
    ['gzip, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['brotli, xgzip', 'identity'],
  ])('asks for a client that accepts %j for the encoding %s', async (accepted, encoding) => {
    const { headers } = await echoed('/terms', { headers: { 'Accept-Encoding': accepted } });
    expect(headers['accept-encoding']).toBe(encoding);
  });

  it('serves what was seen before while the shell servers fail', async () => {
    let status = 200;
    const shell = await listen(({ socket }, response) => {
      if (status === 0) return void socket.destroy();
      // Stale at once.
      if (status === 200) response.setHeader('X-Accel-Expires', '@1');
      response.writeHead(status).end(String(Math.random()));
    });
    const edge = await startInFront(shell);
    const getAll = async () => {
      const responses = await Promise.all(['/terms', '/assets/a.js'].map((page) => send(edge, page)));
      return responses.map((response) => [response.status, response.text]);
    };
    const seen = await getAll();
    for (status of [0, 500, 503]) expect([status, await getAll()]).toEqual([status, seen]);
  });

  it('asks visitors to wait without a shell server, and serves the API', async () => {
    const edge = await startInFront([], { backends: [await listen()] });
    const { status, headers, text: page } = await send(edge, '/nowhere');
    expect([status, headers['retry-after']]).toEqual([503, '3']);
    expect(page).toContain('<meta http-equiv="refresh" content="3">');
    expect((await send(edge, '/api/x')).status).toBe(200);
  });

  it('logs the path without query and emails, cut at 100 printable characters', async () => {
    const folder = makeFolder();
    const edge = await startInFront(await listen(), { folder });
    const long = `/${'x'.repeat(4_000)}`;
    for (const url of ['/a"b', '/a?b=c@d.example', '/a%40b.example', long]) await sendBytes(edge, request('GET')(url));
    const lines = await eventually(() => {
      expect(readLog(folder)).toContain('/xxx');
      return readLog(folder).trim().split('\n');
    });
    const logged = ['/a"b', '/a', '[address]', long.slice(0, 100)];
    expect(lines.slice(-logged.length).map((line) => JSON.parse(line).path)).toEqual(logged);
    expect(lines.join('')).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
  });

  it('takes the last address in X-Forwarded-For that is of no proxy', async () => {
    const edge = await startInFront(await echo('shell'), { proxies: '127.0.0.1 192.0.2.0/24' });
    const sent = { headers: { 'X-Forwarded-For': '198.51.100.6, 203.0.113.7:4711, 192.0.2.1' } };
    expect((await echoed('/', sent, edge)).headers['x-forwarded-for']).toBe('203.0.113.7');
  });

  it('takes no headers that the servers trust from clients', async () => {
    const stated = {
      'X-Forwarded-For': '203.0.113.7',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'evil.example',
      'X-Request-Id': 'stated',
      'Sec-GPC': '1',
    };
    const { headers, text: body } = await send(echoing, '/api/waitlist', { headers: stated });
    const received = JSON.parse(body).headers;
    expect(received).toMatchObject({ host: new URL(echoing).host, 'x-forwarded-for': '127.0.0.1', 'sec-gpc': '1' });
    expect(received).not.toHaveProperty('x-forwarded-proto');
    expect(received).not.toHaveProperty('x-forwarded-host');
    expect(received['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(headers['x-request-id']).toBe(received['x-request-id']);
    // The header does not give nginx's version.
    expect(headers.server).toBe('nginx');
  });

  it('passes on the probes of load balancers that send no host', async () => {
    expect(await sendBytes(echoing, 'GET /readyz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.\d 200 /);
  });

  it('accepts 9 kB of cookies', async () => {
    const Cookie = `foreign=${'x'.repeat(9_000)}; waitlist=8.a%2Fb`;
    expect((await echoed('/terms', { headers: { Cookie } })).headers.cookie).toBe(Cookie);
  });

  it.each([
    ['backend', ['/api/waitlist', '/api?x', '/%61pi/waitlist', '/nowhere/../api/waitlist']],
    // The counters of the edge, at /status, are at another port.
    ['shell', ['/', '/api-docs', '/API/x', '/_releases', '/readyz', '/status', '/api/..%2fmetrics', '/assets/%61']],
  ])('sends to the %s, with their URLs unchanged, %j', async (part, urls) => {
    for (const url of urls) expect(await echoed(url)).toMatchObject({ part, url });
  });

  const long = 'a'.repeat(200_000);
  it.each([
    [400, 'two framings', request('POST', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
    [413, 'a long body', request('POST', 'Content-Length: 200000\r\n', long)],
    [414, 'a long URL', (url: string) => request('GET')(`${url}/${'x'.repeat(20_000)}`)],
    [431, '40 kB of cookies', request('GET', `Cookie: ${'y'.repeat(40_000)}\r\n`)],
  ])('responds with %d to %s: a page, or JSON to a call', async (status, _what, bytesOf) => {
    const page = await sendBytes(echoing, bytesOf('/terms'));
    expect(page).toMatch(/content-type: text\/html; charset=utf-8\r\n/i);
    expect(page).toMatch(/<title>([A-Z][^<]+) – Daybook<\/title>[\s\S]+<h1>\1<\/h1>\n<p>[A-Z][^<]+/);
    const call = await sendBytes(echoing, bytesOf('/api/waitlist'));
    expect(call).toMatch(/content-type: application\/json\r\n/i);
    expect(errorBodySchema.parse(JSON.parse(call.slice(call.indexOf('\r\n\r\n')))).statusCode).toBe(status);
    for (const response of [page, call])
      expect(response).toMatch(RegExp(`^HTTP/1.1 ${status} [\\s\\S]*^cache-control: no-store`, 'im'));
  });

  it('lets one network hold 100 slow bodies', async () => {
    const edge = await startInFront(await listen(), { proxies: '127.0.0.1', backends: [await echo('backend')] });
    let rejected = 0;
    for (let index = 0; index < 130; index += 1) {
      const bytes = request('POST', 'X-Forwarded-For: 203.0.113.7\r\nContent-Length: 9\r\n', '1')('/api/x');
      const socket = sendSlowly(edge, bytes).once('data', () => (rejected += 1));
      started.defer(() => void socket.destroy());
    }
    await eventually(() => expect(rejected).toBe(30));
    const post = async (client: string) =>
      (await send(edge, '/api/x', { method: 'POST', headers: { 'X-Forwarded-For': client }, body: '{}' })).status;
    expect(await post('203.0.113.7')).toBe(429);
    expect(await post('203.0.113.8')).toBe(200);
  });

  it('counts the calls of each IPv4 address and of each IPv6 /48', async () => {
    const edge = await startInFront(await listen(), { proxies: '127.0.0.1', limit: 10 });
    const call = (ip: string, url = '/api/x') => send(edge, url, { headers: { 'X-Forwarded-For': ip } });
    const flood = async (ipOf: (index: number) => string, url?: string) => {
      const responses = await Promise.all(Array.from({ length: 250 }, (_, index) => call(ipOf(index), url)));
      return responses.filter(({ status }) => status === 429);
    };
    const rejected = await flood(() => '203.0.113.7');
    expect(rejected.length).toBeGreaterThan(40);
    expect(rejected[0]?.headers['retry-after']).toBe('1');
    expect(errorBodySchema.parse(JSON.parse(rejected[0]?.text ?? '')).error).toBe('TOO_MANY_REQUESTS');
    expect((await flood((index) => `2001:db8:7:${index.toString(16)}::1`)).length).toBeGreaterThan(40);
    expect((await flood((index) => `2a00::${index.toString(16)}`, '/_reports')).length).toBeGreaterThan(40);
    expect((await call('2a00::ffff:0:1')).status).toBe(429);
    for (const other of ['203.0.113.8', '2001:db8:8::1'])
      expect([other, (await call(other)).status]).toEqual([other, 200]);
  });

  it('takes large bodies for releases only', async () => {
    const post = async (url: string, size: number) =>
      (await send(echoing, url, { method: 'POST', body: Buffer.alloc(size, 'a') })).status;
    for (const url of ['/terms', '/_reports', '/_releases/api/mf-legal', '/api/x'])
      expect([url, await post(url, 40_000), await post(url, 41_000)]).toEqual([url, 200, 413]);
    const published = '/_releases/api/mf-legal/releases';
    expect([await post(published, maxUpload), await post(published, 66_000_000)]).toEqual([200, 413]);
  });

  it('asks the other server if one is closed, unavailable or without a file', async () => {
    const lacking = await listen(({ url }, response) => {
      response.writeHead(url?.startsWith('/assets/') ? 404 : 503).end();
    });
    const closed = `http://127.0.0.1:${await findFreePort()}`;
    const edge = await startInFront([lacking, await listen()], { backends: [closed, await listen()] });
    // Every second one begins at the server that fails.
    for (const url of ['/', '/assets/', '/api/'])
      for (let count = 0; count < 4; count += 1)
        expect([url, (await send(edge, url + count)).status]).toEqual([url, 200]);
  });

  it('never sends a POST twice, and a GET again, if a backend breaks the connection', async () => {
    const received = { POST: 0, GET: 0 };
    const broken = await listen(({ method, socket }) => {
      received[method as 'POST' | 'GET'] += 1;
      socket.destroy();
    });
    const edge = await startInFront(await listen(), { backends: [broken, broken] });
    for (const method of ['POST', 'GET'] as const) {
      const { status, text: sent, headers } = await send(edge, '/api/x', { method });
      expect([status, errorBodySchema.parse(JSON.parse(sent)).error]).toEqual([503, 'BACKEND_UNAVAILABLE']);
      expect(headers['retry-after']).toBe('3');
    }
    expect(received).toEqual({ POST: 1, GET: 2 });
  });
});
