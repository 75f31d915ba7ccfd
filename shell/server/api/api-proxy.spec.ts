import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { apiBodyLimit } from '@daybook/contract/api';
import { eventually } from '@daybook/testing/eventually';
import { type Sent, send } from '@daybook/testing/send';
import { describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { startRunningSite } from '../test/running-site.ts';
import { registerApi } from './api-proxy.ts';

/** A backend that echoes the request that reached it. */
function echo(backend: FastifyInstance): void {
  backend.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  backend.all('/api/echo', ({ method, url, headers, body }) => ({ method, url, headers, body }));
  backend.get('/api/created', ({ headers: { cookie } }, reply) =>
    reply
      .code(201)
      .headers({ 'X-Own': 'own', 'Set-Cookie': ['one=1; HttpOnly', 'two=2; SameSite=Lax'] })
      .send({ cookie }),
  );
  backend.get('/api/nothing', (_request, reply) => reply.code(204).send());
  backend.get('/api/rejected', (_request, reply) => {
    attempts += 1;
    reply.code(503).send({ attempt: attempts });
  });
}
let attempts = 0;

const running = await startRunningSite({ backendCalls: echo });

const call = (path: string, sent: Sent = {}) => send(running.url, path, sent);
const json = (text: string) => JSON.parse(text);
const asJson = { 'Content-Type': 'application/json' };

const unavailable = {
  statusCode: 503,
  message: 'The service is not available at the moment. Please try again in a few seconds.',
  error: 'BACKEND_UNAVAILABLE',
};

describe('an API request', () => {
  const body = '{"email": "reader@münchen.de"}';
  test.each<[string, string | undefined, Record<string, string>]>([
    ['GET', undefined, {}],
    ['DELETE', undefined, {}],
    ['PUT', undefined, {}],
    ['POST', body, asJson],
    ['PATCH', body, { ...asJson, 'Transfer-Encoding': 'chunked' }],
  ])('%s is forwarded with query, body and the signal of Global Privacy Control', async (method, sent, headers) => {
    const url = '/api/echo?email=a%2Bb%40example.com&x=1&x=2';
    const forwarded = json((await call(url, { method, body: sent, headers: { ...headers, 'Sec-GPC': '1' } })).text);
    expect(forwarded).toMatchObject({ method, url, headers: { 'sec-gpc': '1' } });
    expect(forwarded.body).toEqual(sent && { email: 'reader@münchen.de' });
    expect(forwarded.headers['content-type']).toBe(headers['Content-Type']);
  });

  test('returns status, headers and body of the backend, also of an error, and forwards cookies both ways', async () => {
    const created = await call('/api/created', { headers: { Cookie: 'entries=signed.value' } });
    expect([created.status, json(created.text)]).toEqual([201, { cookie: 'entries=signed.value' }]);
    expect(created.headers).toMatchObject({
      'x-own': 'own',
      'set-cookie': ['one=1; HttpOnly', 'two=2; SameSite=Lax'],
    });
    const nothing = await call('/api/nothing');
    expect([nothing.status, nothing.text]).toEqual([204, '']);
    // Not sent again.
    const rejected = await call('/api/rejected');
    expect([rejected.status, json(rejected.text), attempts]).toEqual([503, { attempt: 1 }, 1]);
  });
});

test.each([
  ['0', { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' }],
  ['1', { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }],
])('the client’s address is read from %s trusted proxies, and no further', async (TRUSTED_PROXIES, forwarded) => {
  const { url } = await startRunningSite({ backendCalls: echo, variables: { TRUSTED_PROXIES } });
  const headers = {
    'X-Forwarded-For': '198.51.100.1, 203.0.113.7',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'evil.example',
  };
  const received = json((await send(url, '/api/echo', { headers })).text).headers;
  expect(received).toMatchObject(forwarded);
  if (TRUSTED_PROXIES === '0') expect(received['x-forwarded-host']).toBe(new URL(url).host);
});

test('a body is rejected with 413, never with 503, from one byte above the limit', async () => {
  const post = (length: number, as = {}) =>
    call('/api/echo', { method: 'POST', headers: { ...asJson, ...as }, body: `"${'a'.repeat(length - 2)}"` });
  expect((await post(apiBodyLimit)).status).toBe(200);
  const message = 'The body is too large. At most 40000 bytes are accepted.';
  for (const as of [{}, { 'Transfer-Encoding': 'chunked' }])
    for (const length of [apiBodyLimit + 1, ...Array<number>(10).fill(1_000_000)]) {
      const { status, text, headers } = await post(length, as);
      expect([status, json(text)]).toEqual([413, { statusCode: 413, message, error: 'BODY_TOO_LARGE' }]);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        // The backend sets this itself; here, an edge or a browser would otherwise repeat the failure to later visitors.
        'cache-control': 'no-store',
      });
    }
});

test('forwards at most four requests of a connection at once, and closes one that sends more', async () => {
  let received = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = async () => {
    received += 1;
    await promise;
    return {};
  };
  const alone = await startRunningSite({ backendCalls: (backend) => backend.get('/api/slow', slow) });
  const socket = connect(Number(new URL(alone.url).port), '127.0.0.1');
  socket.write('GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20));
  await eventually(async () => expect(received).toBe(4));
  resolve();
  const statuses = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  expect(received).toBe(4);
});

test.each([
  ['GET', undefined],
  ['POST', '{"email":"reader@example.com"}'],
])('a backend that is down, or closes connections, is reported as unavailable: %s', async (method, body) => {
  const rude = createServer((incoming) => incoming.socket.destroy());
  await once(rude.listen(0, '127.0.0.1'), 'listening');
  const { port } = rude.address() as AddressInfo;
  const { url } = await startRunningSite({ variables: { BACKEND_URL: `http://127.0.0.1:${port}` } });
  const request = () => send(url, '/api/waitlist', { method, ...(body ? { headers: asJson, body } : {}) });
  const closed = await request();
  rude.close();
  for (const response of [closed, await request()]) {
    expect([response.status, json(response.text)]).toEqual([503, unavailable]);
    const type = expect.stringMatching(/^application\/json/);
    expect(response.headers).toMatchObject({ 'retry-after': '1', 'content-type': type });
  }
});

test('a thousand calls are in progress at most, and further ones get 429 until one ends', async () => {
  const released = Promise.withResolvers<void>();
  let waiting = 0;
  const { url } = await startRunningSite({
    backendCalls: (backend) =>
      backend.get('/api/held', async () => {
        waiting += 1;
        await released.promise;
        return {};
      }),
  });
  const held = () => send(url, '/api/held');
  const calls = Array.from({ length: 1_000 }, held);
  await eventually(async () => expect(waiting).toBe(calls.length));
  const { status, headers } = await held();
  expect([status, headers['retry-after']]).toEqual([429, '1']);
  released.resolve();
  expect(new Set((await Promise.all(calls)).map((call) => call.status))).toEqual(new Set([200]));
  expect((await held()).status).toBe(200);
});

test('bodies are forwarded while they arrive, so many of a network at most, and further ones get 429 until one ends', async () => {
  const received = { calls: 0, bytes: 0 };
  const { url } = await startRunningSite({
    variables: { TRUSTED_PROXIES: '1' },
    backendCalls: (backend) => {
      backend.addContentTypeParser('text/plain', (_request, payload, done) => {
        received.calls += 1;
        payload.on('data', (chunk: Buffer) => (received.bytes += chunk.length)).on('end', () => done(null, ''));
      });
      backend.post('/api/slow', () => ({}));
      backend.get('/api/fast', () => ({}));
    },
  });
  /** Sends the start of a signup, and returns its connection. */
  function begin(client: string, rest = '') {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    // A server that rejects a request before its body is complete may reset the connection.
    socket.on('error', () => undefined);
    const headers = `Host: localhost\r\nContent-Type: text/plain\r\nContent-Length: 39000\r\n${rest}`;
    socket.write(`POST /api/slow HTTP/1.1\r\nX-Forwarded-For: ${client}\r\n${headers}\r\nabc`);
    return socket;
  }
  const socket = begin('203.0.113.7', 'Connection: close\r\n');
  await eventually(async () => expect(received).toEqual({ calls: 1, bytes: 3 }));
  socket.write('d'.repeat(38_997));
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
  expect(received.bytes).toBe(39_000);
  const [network, customer] = [16, 48];
  const held = [
    ...Array.from({ length: network }, () => begin('203.0.113.7')),
    ...Array.from({ length: customer }, (_, index) => begin(`2001:db8:7:${index.toString(16)}::1`)),
  ];
  await eventually(async () => expect(received.calls).toBe(1 + held.length));
  const signUp = (client: string) =>
    send(url, '/api/slow', {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', 'X-Forwarded-For': client },
      body: '{}',
    });
  for (const client of ['203.0.113.7', '2001:db8:7:ffff::1']) {
    const rejected = await signUp(client);
    expect([rejected.status, json(rejected.text).error]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(rejected.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    // Without a body.
    expect((await send(url, '/api/fast', { headers: { 'X-Forwarded-For': client } })).status).toBe(200);
  }
  for (const other of ['203.0.113.8', '2001:db8:8::1']) expect((await signUp(other)).status).toBe(200);
  for (const each of held) each.destroy();
  await eventually(async () => expect((await signUp('203.0.113.7')).status).toBe(200));
});

/** Returns the bytes that are in use after garbage collections: one frees what the finalizers of another one released. */
async function usedMemory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('a body in progress takes no more memory here than its connection, however small its chunks are', async () => {
  const backend = createServer((request) => request.resume()).listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const app = Fastify();
  const received: Socket[] = [];
  app.server.on('connection', (socket) => received.push(socket));
  // Longer than the garbage collections on a busy machine.
  await registerApi(app, `http://127.0.0.1:${(backend.address() as AddressInfo).port}`, 120_000);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const clients = Array.from({ length: 16 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  /** Sends the same on each connection, and resolves once the proxy has read it. */
  async function write(part: string) {
    for (const client of clients) client.write(part);
    await eventually(async () =>
      expect(received.map(({ bytesRead }) => bytesRead)).toEqual(clients.map(({ bytesWritten }) => bytesWritten)),
    );
  }
  await write('POST /api/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
  const before = await usedMemory();
  await write('1\r\na\r\n'.repeat(1_500));
  const perBody = ((await usedMemory()) - before) / clients.length;
  for (const client of clients) client.destroy();
  backend.close();
  await app.close();
  // 300 kB if the chunks are retained.
  expect(perBody).toBeLessThan(64_000);
});

test('a body that stops arriving is the client’s timeout, and a backend that does not respond the site’s', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const app = Fastify();
  await registerApi(app, `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, 50);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const post = (body: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`POST /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n\r\n${body}`);
    return text(socket);
  };
  expect(await post('abc')).toMatch(/^HTTP\/1.1 408 .*"error":"REQUEST_TIMEOUT"/s);
  expect(await post('abcd')).toMatch(/^HTTP\/1.1 503 .*"error":"BACKEND_UNAVAILABLE"/s);
  silent.closeAllConnections();
  silent.close();
  await app.close();
});

test('a body for a page is rejected beyond a kilobyte, before it is read', async () => {
  const body = Buffer.alloc(1_001, 'a');
  expect((await call('/terms', { method: 'POST', headers: asJson, body })).status).toBe(413);
});

test('without BACKEND_URL, the API is not served', async () => {
  const alone = await startRunningSite({ variables: { BACKEND_URL: '' } });
  expect((await send(alone.url, '/api/waitlist', { method: 'POST' })).status).toBe(404);
});
