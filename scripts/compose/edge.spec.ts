import { hash } from 'node:crypto';
import { on, once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server as HttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { errorBodySchema } from '@daybook/contract/api';
import { findFreePort } from '@daybook/runner/ports';
import { root } from '@daybook/runner/workspaces';
import { cookieScript, deleteCookiesPath, serverOptions } from '@daybook/server';
import { eventually } from '@daybook/testing/eventually';
import { findNginx, startEdge } from '@daybook/testing/nginx';
import { type Sent, type SiteResponse, send } from '@daybook/testing/send';
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
  { trustedProxies = 0, limit = 1_000_000, folder = makeFolder(), backends = [shell].flat() } = {},
): Promise<string> {
  const variables = { TRUSTED_PROXIES: String(trustedProxies), LIMIT_NETWORK_REQUESTS: String(limit) };
  return (await startEdge(program ?? '', started, folder, shell, variables, backends)).url;
}

/** Sends requests at once; returns the responses that differ. */
const distinct = async (count: number, request: () => Promise<string>) =>
  new Set(await Promise.all(Array.from({ length: count }, request)));

/** Blocks this process, and the servers in it, for a time in ms. */
const block = (time: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);

/** Responds as the servers do to a request that the edge is to log. */
const reject: RequestListener = (_request, response) => void response.writeHead(404, { 'X-Log-Weight': 1 }).end();

const readLog = (folder: string) => readFileSync(path.join(folder, 'access.log'), 'utf8');
const readLines = (folder: string) =>
  readLog(folder)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

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

const echoing = new Map<number, Promise<string>>();
/** Starts an edge in front of two servers that return the name of their part and the headers that reached them. */
function startEchoing(trustedProxies = 0): Promise<string> {
  const echo = (part: string) =>
    listen(({ url, headers }, response) => void response.end(JSON.stringify({ part, url, headers })));
  const start = async () => startInFront(await echo('shell'), { backends: [await echo('backend')], trustedProxies });
  const edge = echoing.get(trustedProxies) ?? start();
  echoing.set(trustedProxies, edge);
  return edge;
}

it('has a version in docker-compose.yml that is the hash of its content', () => {
  const files = ['edge.Dockerfile', 'edge.conf', 'start-edge.sh'].map((name) =>
    readFileSync(path.join(root, 'deploy/nginx', name), 'utf8'),
  );
  const version = hash('sha256', files.join('')).slice(0, 8);
  const compose = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
  // A wrong one would leave the former edge running, or replace it without a change.
  expect(compose.match(/\$\{EDGE_VERSION:-[^}]+\}/g)).toEqual(Array(2).fill(`\${EDGE_VERSION:-${version}}`));
});

(program === undefined ? describe.skip : describe)('the edge', () => {
  it('caches what the shell server allows, for each encoding and whatever the query, and no calls or operators’ pages', async () => {
    const edge = await startCaching();
    const get = (page: string, encoding = 'gzip') => send(edge, page, { headers: { 'Accept-Encoding': encoding } });
    const [first, second] = [await get('/terms'), await get('/terms?a=1')];
    expect(second.text).toBe(first.text);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(first.headers).not.toHaveProperty('x-accel-expires');
    expect((await get('/terms', 'br')).text).not.toBe(first.text);
    for (const page of ['/nowhere', '/_releases', '/_reports', '/_preview/a', '/api/waitlist', '/api/docs'])
      expect([page, (await get(page)).text]).not.toEqual([page, (await get(page)).text]);
    const unchanged = await send(edge, '/terms', {
      headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': first.headers.etag },
    });
    expect([unchanged.status, unchanged.body.length, unchanged.headers.etag]).toEqual([304, 0, first.headers.etag]);
    const head = await send(edge, '/terms', { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, '9']);
    expect((await get('/terms')).text).toBe(first.text);
  });

  it.each([
    ['gzip, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.5', 'gzip'],
    ['zstd', 'identity'],
    ['br;q=0.000,gzip;q=0', 'identity'],
    ['brotli, xgzip', 'identity'],
  ])('requests for a client that accepts %j the encoding %s', async (accepted, encoding) => {
    const { text } = await send(await startEchoing(), '/terms', { headers: { 'Accept-Encoding': accepted } });
    expect(JSON.parse(text).headers['accept-encoding']).toBe(encoding);
  });

  it('stores immutable files, sends parts of them, and requests a missing one again', async () => {
    let requests = 0;
    const shell = await listen(({ url }, response) => {
      requests += 1;
      if (url === '/assets/missing.js') return void response.writeHead(404).end();
      const headers = {
        'Cache-Control': 'max-age=31536000, immutable',
        'Accept-Ranges': 'bytes',
        'Content-Length': 20,
      };
      response.writeHead(200, headers).end(String(requests).padStart(20, 'x'));
    });
    const edge = await startInFront(shell);
    const { text } = await send(edge, '/assets/a.js');
    expect((await send(edge, '/assets/a.js?v=2')).text).toBe(text);
    const part = await send(edge, '/assets/a.js', { headers: { Range: 'bytes=0-9' } });
    expect([part.status, part.text]).toEqual([206, text.slice(0, 10)]);
    const before = requests;
    for (let times = 0; times < 2; times += 1) expect((await send(edge, '/assets/missing.js')).status).toBe(404);
    expect(requests).toBeGreaterThanOrEqual(before + 2);
  });

  it('without a shell server, serves pages seen before, also a new edge; others get 503, and calls work', async () => {
    const shell = createServer((_request, response) => {
      response.setHeader('X-Accel-Expires', `@${Math.floor(Date.now() / 1000)}`).end(String(Math.random()));
    });
    const url = await start(shell);
    const [folder, another, backends] = [makeFolder(), makeFolder(), [await listen()]];
    const startWith = (folder: string) => startInFront(url, { backends, folder });
    const edge = await startWith(folder);
    const { text } = await send(edge, '/terms');
    shell.close();
    shell.closeAllConnections();
    const expectStale = async (by: string) => {
      const stale = await send(by, '/terms');
      expect([stale.status, stale.text]).toEqual([200, text]);
    };
    await eventually(async () => {
      // Until its second ends, it is fresh.
      await expectStale(edge);
      expect(readLog(folder)).toContain('"cache":"STALE"');
    });
    cpSync(folder, another, { recursive: true });
    await expectStale(await startWith(another));
    const unseen = await send(edge, '/nowhere');
    expect([unseen.status, unseen.headers['retry-after']]).toEqual([503, '3']);
    expect(unseen.text).toContain('<meta http-equiv="refresh" content="3">');
    expect((await send(edge, '/api/x')).status).toBe(200);
    await start(shell, Number(new URL(url).port));
    await eventually(async () => expect((await send(edge, '/terms')).text).not.toBe(text));
  });

  it('stores a response only for the plain spelling of its path', async () => {
    const edge = await startCaching();
    for (const page of ['/terms', '/assets/shell.0a1b2c3d.js']) {
      const { text } = await send(edge, page);
      expect((await send(edge, `${page}?a=1#b`)).text).toBe(text);
      for (const spelling of [`${page}#1`, page.replace('s', '%73')]) {
        const responses = [await send(edge, spelling), await send(edge, spelling)];
        expect([spelling, new Set([text, ...responses.map((each) => each.text)]).size]).toEqual([spelling, 3]);
      }
    }
  });

  it('neither sends a stored page to who previews a release, nor stores what they get', async () => {
    const edge = await startCaching();
    const previewing = { headers: { Cookie: `preview=mf-legal%401.0.0-${'a'.repeat(12)}` } };
    const get = async (sent = {}) => (await send(edge, '/terms', sent)).text;
    const before = await get(previewing);
    const stored = await get();
    expect(new Set([before, stored, await get(previewing), await get(previewing)]).size).toBe(4);
    expect(await get()).toBe(stored);
    // Links set cookies.
    expect((await send(edge, '/_preview/a')).text).not.toBe((await send(edge, '/_preview/a')).text);
  });

  it('logs no link of a preview and no email of a path, in whatever spelling', async () => {
    const folder = makeFolder();
    const edge = await startInFront(await listen(reject), { folder });
    const secret = 'VBhUa3gPwY8hKrHr3-fZ2w';
    for (const start of ['/_preview/', '/%5fpreview/', '/_%70review/', '//_preview/', '/_PREVIEW/'])
      await send(edge, `${start}${secret}?x=${secret}`);
    for (const url of ['/a@example.com', '/a%40example.com?x', '/a%2540example.com', '/a%252540example.com'])
      await send(edge, url);
    await send(edge, '/_releases');
    await eventually(() => expect(readLog(folder)).toContain('"/_releases"'));
    const text = readLog(folder);
    expect(text.match(/"path":"\/_preview\/\[version\]"/g)).toHaveLength(5);
    expect(text.match(/"path":"\[address\]"/g)).toHaveLength(4);
    expect(text).not.toMatch(RegExp(`${secret}|example\\.com|\\d+\\.\\d+\\.\\d+\\.\\d+`));
  });

  it('cuts what strangers choose in a line of its log, before a character that a terminal could act on', async () => {
    const folder = makeFolder();
    // Unlike Node, accepts any character in a path.
    const response = 'HTTP/1.1 404 Not Found\r\nX-Log-Weight: 1\r\nContent-Length: 0\r\n\r\n';
    const shell = await start(createTcpServer((socket) => socket.on('data', () => socket.write(response))));
    const edge = await startInFront(shell, { folder, trustedProxies: 1 });
    const id = 'i'.repeat(64);
    const paths = [
      '/a"b',
      '/a\\b',
      '/a\u009bb',
      '/a\u202eb',
      '/a\u2028b',
      '/a%1bb',
      '/a?\u009b',
      `/${'x'.repeat(4_000)}`,
    ];
    for (const path of paths) {
      const socket = connectTo(edge);
      const named = `Host: x\r\nReferer: /\u009b\r\nUser-Agent: \u009b\r\nX-Request-Id: ${id}\r\n`;
      socket.write(`GET ${path} HTTP/1.1\r\n${named}Connection: close\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 404 /);
    }
    const lines = await eventually(() => {
      expect(readLog(folder)).toContain('/xxx');
      return readLog(folder).trim().split('\n').slice(-paths.length);
    });
    const logged = [...Array(5).fill('/a…'), '/a%1bb', '/a', `/${'x'.repeat(79)}…`];
    expect(lines.map((line) => JSON.parse(line).path)).toEqual(logged);
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(340);
    expect(lines.join('')).toMatch(/^[\x20-\x7e…]*$/);
  });

  it.each([
    [0, '203.0.113.7', '127.0.0.1'],
    [1, '198.51.100.6, 203.0.113.7', '203.0.113.7'],
    [1, '198.51.100.6, [2001:db8::7]:443', '2001:db8::7'],
    [2, '198.51.100.6, 203.0.113.7:4711, 192.0.2.1', '203.0.113.7'],
    // Not through all proxies.
    [2, '203.0.113.7', '203.0.113.7'],
    [3, '203.0.113.7, 192.0.2.1', '203.0.113.7'],
    // The proxy does not name the client: not the IP address that the client states.
    [1, '198.51.100.6, unknown', '127.0.0.1'],
    [2, '198.51.100.6, fe80::1%eth0, 192.0.2.1', '127.0.0.1'],
    [2, '198.51.100.6, , 192.0.2.1', '127.0.0.1'],
  ])('with %d trusted proxies and X-Forwarded-For %j, the client is %s', async (proxies, forwarded, client) => {
    const { text } = await send(await startEchoing(proxies), '/', { headers: { 'X-Forwarded-For': forwarded } });
    expect(JSON.parse(text).headers['x-forwarded-for']).toBe(client);
  });

  it.each([
    ['/api/waitlist', 'backend'],
    ['/api/docs/openapi.json', 'backend'],
    ['/api/docs/static/swagger-ui.css', 'backend'],
    ['/api', 'backend'],
    ['/api?x', 'backend'],
    ['/%61pi/waitlist', 'backend'],
    ['/nowhere/../api/waitlist', 'backend'],
    ['/', 'shell'],
    ['/terms', 'shell'],
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
    ['/metrics%3f/../api/../metrics', 'shell'],
  ])('sends %s to the %s, with its URL unchanged', async (url, part) => {
    const response = JSON.parse((await send(await startEchoing(), url)).text);
    expect(response).toMatchObject({ part, url });
  });

  it('passes on the cookies that each part reads, and accepts 9 kB of others', async () => {
    const edge = await startEchoing();
    const cookies = ['bucket=7', `foreign=${'x'.repeat(9_000)}`, 'waitlist=8.a%2Fb', 'session=9', 'other=10'];
    const passedOn = async (url: string, Cookie = cookies.join('; ')) =>
      JSON.parse((await send(edge, url, { headers: { Cookie } })).text).headers.cookie;
    expect(await passedOn('/terms')).toBe('bucket=7');
    expect(await passedOn('/api/waitlist')).toBe('waitlist=8.a%2Fb');
    const preview = `preview=mf-legal%401.0.0-${'a'.repeat(12)}`;
    expect(await passedOn('/terms', preview)).toBe(preview);
    expect(await passedOn('/terms', `${preview}; bucket=7`)).toBe(`bucket=7; ${preview}`);
    expect(await passedOn('/terms', `${preview}A; bucket=7`)).toBe('bucket=7');
    expect(await passedOn('/_releases')).toBe(cookies.join('; '));
    expect(await passedOn('/terms', 'bucket=7"; waitlist=x; foreign=1')).toBeUndefined();
    expect(await passedOn('/api/waitlist', 'foreign=1')).toBeUndefined();
  });

  it('sets the headers that the backend trusts, and no others of the client’s', async () => {
    const edge = await startEchoing();
    const stated = {
      'X-Forwarded-For': '203.0.113.7',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'evil.example',
      'X-Request-Id': 'stated',
    };
    const { headers, text } = await send(edge, '/api/waitlist', { headers: { ...stated, 'Sec-GPC': '1' } });
    const received = JSON.parse(text).headers;
    expect(received).toMatchObject({
      host: new URL(edge).host,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(edge).host,
      'sec-gpc': '1',
      connection: 'close',
    });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(received['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  });

  /** Sends raw bytes; returns the response. */
  async function sendBytes(edge: string, bytes: string): Promise<string> {
    const socket = connectTo(edge);
    let response = '';
    socket.on('data', (chunk) => (response += chunk.toString()));
    socket.end(bytes);
    await once(socket, 'close');
    return response;
  }

  const request =
    (method: string, headers: string, body = '') =>
    (url: string) =>
      `${method} ${url} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
  it.each([
    [400, 'a second host', request('GET', 'Host: y\r\n')],
    [400, 'two framings', request('POST', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
    [413, 'a long body', request('POST', 'Content-Length: 200000\r\n', 'a'.repeat(200_000))],
    [414, 'a long URL', (url: string) => request('GET', '')(`${url}/${'x'.repeat(20_000)}`)],
    [431, 'a long header', request('GET', `X: ${'y'.repeat(20_000)}\r\n`)],
    [431, 'many headers', request('GET', `X: ${'y'.repeat(7_000)}\r\n`.repeat(6))],
    [405, 'TRACE', request('TRACE', '')],
    [501, 'an unknown encoding', request('POST', 'Transfer-Encoding: gzip\r\n')],
    [505, 'an unknown version', (url: string) => `GET ${url} HTTP/9.9\r\nHost: x\r\n\r\n`],
  ])('responds with %d to %s: a page, or JSON to a call', async (status, _what, bytesOf) => {
    const edge = await startEchoing();
    const page = await sendBytes(edge, bytesOf('/terms'));
    expect(page).toMatch(RegExp(`^HTTP/1.1 ${status} `));
    expect(page).toMatch(/content-type: text\/html; charset=utf-8\r\n/i);
    expect(page).toMatch(/<h1>[A-Z][^<]+<\/h1>\n<p>[^<]+/);
    const calls = [
      await sendBytes(edge, bytesOf('/api/waitlist')),
      await sendBytes(edge, bytesOf('/_releases/api/mf-legal/deployments')),
    ];
    for (const call of calls) {
      expect(call).toMatch(RegExp(`^HTTP/1.1 ${status} `));
      expect(call).toMatch(/content-type: application\/json; charset=utf-8\r\n/i);
      expect(errorBodySchema.parse(JSON.parse(call.slice(call.indexOf('\r\n\r\n'))))).toMatchObject({
        statusCode: status,
      });
    }
    for (const response of [page, ...calls]) {
      expect(response).toMatch(/^cache-control: no-store/im);
      expect(response).toMatch(/^x-content-type-options: nosniff/im);
      expect(response).not.toContain('<center>');
    }
  });

  it('lets a visitor with too large cookies delete them, and deletes none for another request', async () => {
    const edge = await startEchoing();
    const headers = `Cookie: a=${'x'.repeat(20_000)}\r\n`;
    const page = await sendBytes(edge, request('GET', headers)('/terms'));
    expect(page).toContain(`<script>${cookieScript}</script>`);
    const source = `'sha256-${hash('sha256', cookieScript, 'base64')}'`;
    expect(page).toMatch(RegExp(`^content-security-policy: .*; script-src ${source.replaceAll('+', '\\+')};`, 'im'));
    const deletes = /^clear-site-data: "cookies"\r$/im;
    expect(await sendBytes(edge, request('POST', headers)(deleteCookiesPath))).toMatch(deletes);
    for (const [method, url, sent] of [
      ['GET', deleteCookiesPath, headers],
      ['GET', '/terms', headers],
      ['POST', `${deleteCookiesPath}?${'x'.repeat(3_000)}`, headers],
      ['POST', `${deleteCookiesPath}x`, headers],
      ['POST', deleteCookiesPath, 'Content-Length: 0\r\n'],
    ] as const)
      expect(await sendBytes(edge, request(method, sent)(url))).not.toMatch(deletes);
  });

  it('passes the shell’s page for unknown paths on for a path that it cannot read', async () => {
    const shell = await listen(({ url, headers }, response) => {
      response.setHeader('Set-Cookie', 'bucket=1').writeHead(404);
      response.end(`${url} of ${headers.host}`);
    });
    const edge = await startInFront(shell);
    for (const url of ['/%', '/%ZZ?email=%61', '/a%00b', '/../x', '/api%']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, text, headers } = await send(edge, url, { method });
        expect([url, status, text]).toEqual([url, 404, method === 'GET' ? '/404 of shell' : '']);
        expect(headers).not.toHaveProperty('set-cookie');
      }
      expect((await send(edge, url, { method: 'POST' })).status).toBe(400);
    }
  });

  it('passes on a probe in HTTP/1.0 without a host', async () => {
    const socket = connectTo(await startEchoing());
    // Not `end`: the edge would take it that the client has gone.
    socket.write('GET /readyz HTTP/1.0\r\n\r\n');
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1.1 200 /);
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n'))).headers.host).toBe('localhost');
  });

  it('leaves room for others when one network, or one customer in many IPv6 networks, holds slow bodies open', async () => {
    const backend = await listen((request, response) => void request.resume().on('end', () => response.end()));
    // Bodies at once: 16 of a network, 48 of a customer.
    const edge = await startInFront(backend, { trustedProxies: 1, limit: 12_000 });
    let rejected = 0;
    const hold = (path: string, client: string) => {
      const socket = connectTo(edge).once('data', () => (rejected += 1));
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\nContent-Length: 9\r\n\r\n1`);
      started.defer(() => void socket.destroy());
    };
    for (const path of ['/api/x', '/_reports', '/_releases'])
      for (let index = 0; index < 10; index += 1) hold(path, '203.0.113.7');
    await eventually(() => expect(rejected).toBe(14));
    for (let index = 0; index < 100; index += 1) hold('/api/x', `2001:db8:7:${index.toString(16)}::1`);
    await eventually(() => expect(rejected).toBe(14 + 52));
    const post = async (client: string) =>
      (await send(edge, '/api/x', { method: 'POST', headers: { 'X-Forwarded-For': client }, body: '{}' })).status;
    const full = ['203.0.113.7', '2001:db8:7:ffff::1'];
    for (const client of full) expect([client, await post(client)]).toEqual([client, 429]);
    for (const client of ['203.0.113.8', '2001:db8:8::1']) expect([client, await post(client)]).toEqual([client, 200]);
    // Pages have no body, and are counted apart.
    for (const client of full)
      expect((await send(edge, '/terms', { headers: { 'X-Forwarded-For': client } })).status).toBe(200);
  });

  it('passes a body on as it comes, so that the server’s timeout for the whole request ends a slow one', async () => {
    const { clientErrorHandler } = serverOptions({ service: 'backend', level: 'silent', trustedProxies: 1 });
    const server = createServer({ requestTimeout: 1_000, connectionsCheckingInterval: 50 }, (request, response) => {
      request.resume().on('end', () => response.end());
    });
    server.on('clientError', clientErrorHandler);
    const { url: edge, pid } = await startEdge(program ?? '', started, makeFolder(), await start(server), {});
    for (const path of ['/api/x', '/_reports', '/_releases']) {
      const socket = connectTo(edge);
      const requests = on(server, 'request') as AsyncIterable<[IncomingMessage]>;
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9900\r\n\r\n`);
      // Each byte starts nginx's own timeout anew.
      const drip = setInterval(() => socket.write('1'), 20);
      const responded = once(socket, 'data');
      // Others are polls of the edge.
      for await (const [{ url }] of requests) if (url === path) break;
      // As on a busy machine: the server has not read all that came when it ends the request, and nginx passes on more before it
      // reads the response.
      socket.write('1');
      block(300);
      process.kill(pid, 'SIGSTOP');
      socket.write('1');
      block(1_000);
      await once(server, 'clientError');
      process.kill(pid, 'SIGCONT');
      const [response] = await responded;
      clearInterval(drip);
      socket.destroy();
      expect([path, String(response).slice(9, 12)]).toEqual([path, '408']);
    }
  });

  it('counts the requests of each network by itself, of IPv6 those of a /64, and of a customer in all of its networks', async () => {
    const edge = await startInFront(await listen(), { trustedProxies: 1, limit: 10 });
    const call = (ip: string) => send(edge, '/api/x', { headers: { 'X-Forwarded-For': ip } });
    /** Sends calls, 52 at once; returns those that were rejected. */
    const flood = async (ipOf: (index: number) => string, count = 260) => {
      const responses: SiteResponse[] = [];
      for (let sent = 0; sent < count; sent += 52)
        responses.push(...(await Promise.all(Array.from({ length: 52 }, (_, index) => call(ipOf(sent + index))))));
      return responses.filter(({ status }) => status === 429);
    };
    const rejected = await flood((index) => `203.0.113.${index % 250}, 203.0.113.7`);
    expect(rejected.length).toBeGreaterThan(40);
    expect(rejected[0]?.headers['retry-after']).toBe('1');
    expect(errorBodySchema.parse(JSON.parse(rejected[0]?.text ?? '')).error).toBe('TOO_MANY_REQUESTS');
    expect((await flood((index) => `2001:db8::7:${index.toString(16)}`)).length).toBeGreaterThan(40);
    for (const same of ['203.0.113.7:4711', '2001:db8:0:0:1::', '[2001:db8::1]:443', '2001:db8::a:b:c:d'])
      expect([same, (await call(same)).status]).toEqual([same, 429]);
    for (const other of [
      '203.0.113.8',
      '2001:db8:0:1::1',
      '2001:db8:1::1',
      '2001:db8:0:1:2:3:4:5',
      '2001:db9::',
      '::1',
    ])
      expect([other, (await call(other)).status]).toEqual([other, 200]);
    // The burst of a customer is 800.
    expect((await flood((index) => `2001:db8:7:${index.toString(16)}::1`, 1_040)).length).toBeGreaterThan(190);
    expect((await call('2001:db8:8::1')).status).toBe(200);
  });

  it('takes a body only where one is read', async () => {
    const edge = await startEchoing();
    const post = async (url: string, size: number, headers: Sent['headers'] = {}) =>
      (await send(edge, url, { method: 'POST', headers, body: Buffer.alloc(size, 'a') })).status;
    for (const url of ['/terms', '/x', '/assets/a.js', '/_preview/a', '/apix'])
      for (const size of [1, 200_000]) expect([url, size, await post(url, size)]).toEqual([url, size, 413]);
    expect(await post('/terms', 1, { 'Transfer-Encoding': 'chunked' })).toBe(413);
    expect([await post('/terms', 0), await post('/api/docs/static/a.js', 1_025)]).toEqual([200, 413]);
    expect([await post('/_releases', 10_000), await post('/_releases', 11_000)]).toEqual([200, 413]);
    const pushed = '/_releases/api/mf-legal/releases';
    expect(await post(pushed, maxUpload)).toBe(200);
    const tooLarge = await send(edge, pushed, { method: 'POST', body: Buffer.alloc(66_000_000, 'a') });
    expect(JSON.parse(tooLarge.text)).toMatchObject({ statusCode: 413, message: expect.stringContaining('60 MB') });
    expect([await post('/api/x', 40_000), await post('/api/x', 41_000)]).toEqual([200, 413]);
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
      listen(({ method, url, socket }) => {
        // Not the polls.
        if (!url?.startsWith('/readyz')) received[method as 'POST' | 'GET'] += 1;
        socket.destroy();
      });
    const edge = await startInFront(await listen(), { backends: [await rude(), await rude()] });
    for (const method of ['POST', 'GET'] as const) {
      const { status, text, headers } = await send(edge, '/api/x', { method });
      expect([status, errorBodySchema.parse(JSON.parse(text)).error]).toEqual([503, 'BACKEND_UNAVAILABLE']);
      expect(headers['retry-after']).toBe('3');
    }
    expect(received.POST).toBeLessThanOrEqual(1);
    expect(received.GET).toBeGreaterThan(1);
  });

  it('sends again what no server has received, once, and nothing else', async () => {
    const folder = makeFolder();
    const refusing = `http://127.0.0.1:${await findFreePort()}`;
    const breaking = await listen((request) => request.socket.destroy());
    const edge = await startInFront(refusing, { folder, backends: [breaking] });
    const attempts = async (path: string) => {
      expect((await send(edge, path, { method: 'POST' })).status).toBe(503);
      await eventually(() => expect(readLog(folder)).toContain(`"path":"${path}"`));
      return readLines(folder).find((line) => line.path === path).upstream;
    };
    // A server, and itself as a backup.
    expect(await attempts('/_reports')).toBe('502, 502 : 502, 502');
    expect(await attempts('/api/x')).toBe('502');
  });

  it('sets aside a backend that is not ready while another one is', async () => {
    let [isDraining, isNoneReady] = [false, false];
    const serve = (name: string, isReady: () => boolean) =>
      listen(({ url }, response) => {
        if (url?.startsWith('/readyz')) response.statusCode = isReady() ? 200 : 503;
        response.end(name);
      });
    const backends = [await serve('draining', () => !isDraining), await serve('ready', () => !isNoneReady)];
    const edge = await startInFront(backends[0] ?? '', { backends });
    const names = () => distinct(10, async () => (await send(edge, '/api/x', { method: 'POST' })).text);
    expect(await names()).toEqual(new Set(['draining', 'ready']));
    isDraining = true;
    await eventually(async () => expect(await names()).toEqual(new Set(['ready'])));
    // With no backend ready, their own error responses reach the visitor.
    isNoneReady = true;
    await eventually(async () => expect((await names()).size).toBe(2));
  });

  it('requests pages only from shell servers that are ready, from the first request on, while one is', async () => {
    const requests = { empty: 0, ready: 0 };
    let isNoneReady = false;
    const serve = (name: keyof typeof requests, isReady: () => boolean) =>
      listen(({ url }, response) => {
        if (!url?.startsWith('/readyz')) requests[name] += 1;
        const hasRelease = isReady() && url !== '/of-a-remote-without-release';
        response.writeHead(hasRelease ? 200 : 503).end(name);
      });
    const shells = [await serve('empty', () => false), await serve('ready', () => !isNoneReady)];
    const edge = await startInFront(shells);
    const namesOf = (path: string) =>
      distinct(40, async () => {
        const { status, text } = await send(edge, path);
        return `${status} ${text}`;
      });
    expect(await namesOf('/terms')).toEqual(new Set(['200 ready']));
    // The poll has set it aside, also for what is not sent twice.
    await eventually(async () => {
      requests.empty = 0;
      expect(await namesOf('/terms')).toEqual(new Set(['200 ready']));
      expect(requests.empty).toBe(0);
    });
    expect([...(await namesOf('/of-a-remote-without-release'))].every((name) => name.startsWith('503 '))).toBe(true);
    expect(await namesOf('/terms')).toEqual(new Set(['200 ready']));
    // With no server ready, their own error responses reach the visitor.
    isNoneReady = true;
    expect([...(await namesOf('/terms'))].every((name) => name.startsWith('503 '))).toBe(true);
  });

  it('logs one in a hundred of its own rejections, one in ten of other requests, and each change and failure', async () => {
    const folder = makeFolder();
    const shell = await listen(({ url }, response) => {
      response.writeHead(url === '/fails' ? 502 : 200).end();
    });
    const edge = await startInFront(shell, { limit: 600, folder });
    const statuses = new Map<number, number>();
    for (let batch = 0; batch < 24; batch += 1) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => fetch(`${edge}/api/x`, { method: 'POST' })));
      for (const { status } of responses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await Promise.all(responses.map((response) => response.arrayBuffer()));
    }
    const rejected = statuses.get(429) ?? 0;
    expect(rejected).toBeGreaterThan(600);
    for (let batch = 0; batch < 10; batch += 1)
      await Promise.all(Array.from({ length: 30 }, () => send(edge, '/read')));
    for (let count = 0; count < 10; count += 1) await send(edge, '/fails');
    // Rejected before they are counted by any limit.
    const unreadable = ['GET / HTTP/9.9', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip', 'TRACE / HTTP/1.0'];
    for (let batch = 0; batch < 10; batch += 1)
      await Promise.all(Array.from({ length: 30 }, (_, index) => sendBytes(edge, `${unreadable[index % 3]}\r\n\r\n`)));
    await send(edge, '/api/last', { method: 'DELETE' });
    await send(edge, '/fails');
    const lines = await eventually(async () => {
      expect(readLog(folder).match(/"path":"\/fails"/g)).toHaveLength(11);
      return readLines(folder);
    });
    const weightsOf = (status: number) => lines.filter((line) => line.status === status).map(({ weight }) => weight);
    // Of 600 to 1,000 rejections 6 to 10 are expected; more than 60 in one of 10^20 runs.
    expect(weightsOf(429).length).toBeLessThan(60);
    expect(new Set(weightsOf(429)).difference(new Set([100]))).toEqual(new Set());
    for (const status of [405, 501, 505]) expect([status, weightsOf(status).length < 30]).toEqual([status, true]);
    const passed = lines.filter((line) => line.path === '/api/x' && line.status === 200);
    expect(passed.map(({ weight }) => weight)).toEqual(Array(1_200 - rejected).fill(1));
    // Of 300, 30 are expected.
    const read = lines.filter((line) => line.path === '/read');
    expect(read.length).toBeLessThan(80);
    expect(new Set(read.map(({ weight }) => weight)).difference(new Set([10]))).toEqual(new Set());
  });

  it('logs of the servers’ error responses the part that they state, and does not pass that on', async () => {
    const folder = makeFolder();
    const shell = await listen(({ url }, response) => {
      // The request that waits for the start of the edge states none: one in ten such would be logged.
      response.writeHead(404, { 'X-Log-Weight': url?.slice(1) || '0' }).end();
    });
    const edge = await startInFront(shell, { folder });
    for (const weight of ['0', '100', '1'])
      expect((await send(edge, `/${weight}`)).headers).not.toHaveProperty('x-log-weight');
    await eventually(() => expect(readLog(folder)).toContain('"path":"/1"'));
    expect(readLines(folder).map(({ weight }) => weight)).toEqual([100, 1]);
  });
});
