import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { apiBodyLimit } from '@daybook/contract/api';
import { eventually } from '@daybook/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { type RunningSite, sitesOfOneTest, startRunningSite } from '../test/running-site.ts';
import { type Sent, send } from '../test/send.ts';
import { maxCallsInProgress } from './api-proxy.ts';

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

let running: RunningSite;
beforeAll(async () => {
  running = await startRunningSite({ backendCalls: echo });
});
afterAll(() => running.stop());

const startAnother = sitesOfOneTest();

const call = (path: string, sent: Sent = {}) => send(running.address, path, sent);
const json = (text: string) => JSON.parse(text);
const asJson = { 'Content-Type': 'application/json' };

const unavailable = {
  statusCode: 503,
  message: 'The service is not available at the moment. Please try again in a few seconds.',
  error: 'BACKEND_UNAVAILABLE',
};

describe('an API request', () => {
  test('is forwarded with its method, its query and the signal of Global Privacy Control', async () => {
    const path = '/api/echo?email=a%2Bb%40example.com&x=1&x=2';
    for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']) {
      const forwarded = json((await call(path, { method, headers: { 'Sec-GPC': '1' } })).text);
      expect(forwarded).toMatchObject({ method, url: path, headers: { 'sec-gpc': '1' } });
    }
  });

  test('is forwarded with its body, in chunks too, and without a content type if it has none', async () => {
    const body = '{"email": "reader@münchen.de"}';
    for (const headers of [asJson, { ...asJson, 'Transfer-Encoding': 'chunked' }]) {
      const forwarded = json((await call('/api/echo', { method: 'POST', headers, body })).text);
      expect(forwarded).toMatchObject({
        body: { email: 'reader@münchen.de' },
        headers: { 'content-type': 'application/json' },
      });
    }
    const empty = json((await call('/api/echo', { method: 'PUT' })).text);
    expect(empty).not.toHaveProperty('body');
    expect(empty.headers).not.toHaveProperty('content-type');
  });

  test('returns status, headers and body of the backend, also of an error, and forwards cookies both ways', async () => {
    const created = await call('/api/created', { headers: { Cookie: 'entries=signed.value' } });
    expect([created.status, json(created.text)]).toEqual([201, { cookie: 'entries=signed.value' }]);
    expect(created.headers['x-own']).toBe('own');
    expect(created.headers['set-cookie']).toEqual(['one=1; HttpOnly', 'two=2; SameSite=Lax']);
    const nothing = await call('/api/nothing');
    expect([nothing.status, nothing.text]).toEqual([204, '']);
    // Not sent again.
    const rejected = await call('/api/rejected');
    expect([rejected.status, json(rejected.text)]).toEqual([503, { attempt: 1 }]);
    expect(attempts).toBe(1);
  });
});

test.each([
  ['0', { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' }],
  ['1', { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }],
])('the client’s address is read from %s trusted proxies, and no further', async (TRUSTED_PROXIES, forwarded) => {
  const { address } = await startAnother({ backendCalls: echo, variables: { TRUSTED_PROXIES } });
  const headers = {
    'X-Forwarded-For': '198.51.100.1, 203.0.113.7',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'evil.example',
  };
  const received = json((await send(address, '/api/echo', { headers })).text).headers;
  expect(received).toMatchObject(forwarded);
  if (TRUSTED_PROXIES === '0') expect(received['x-forwarded-host']).toBe(new URL(address).host);
});

describe('a body that is too long', () => {
  const megabyte = Buffer.alloc(1_000_000, 'a');

  test.each([{}, { 'Transfer-Encoding': 'chunked' }])(
    'is rejected each time with 413, never with 503: %j',
    async (as) => {
      const message = 'The body is too large. At most 100000 bytes are accepted.';
      for (let time = 0; time < 10; time += 1) {
        const sent = { method: 'POST', headers: { ...asJson, ...as }, body: megabyte };
        const { status, text, headers } = await call('/api/echo', sent);
        expect([status, json(text)]).toEqual([413, { statusCode: 413, message, error: 'BODY_TOO_LARGE' }]);
        expect(headers['content-type']).toMatch(/^application\/json/);
      }
    },
  );

  test('begins one byte above the limit', async () => {
    const text = (length: number) => `"${'a'.repeat(length - 2)}"`;
    const post = async (length: number) =>
      (await call('/api/echo', { method: 'POST', headers: asJson, body: text(length) })).status;
    expect(await post(apiBodyLimit)).toBe(200);
    expect(await post(apiBodyLimit + 1)).toBe(413);
  });
});

test('forwards at most four requests of a connection at once, and closes one that sends more', async () => {
  let received = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = async () => {
    received += 1;
    await promise;
    return {};
  };
  const alone = await startAnother({ backendCalls: (backend) => backend.get('/api/slow', slow) });
  const socket = connect(Number(new URL(alone.address).port), '127.0.0.1');
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
  const { address } = await startAnother({ variables: { BACKEND_URL: `http://127.0.0.1:${port}` } });
  const request = () => send(address, '/api/waitlist', { method, ...(body ? { headers: asJson, body } : {}) });
  const closed = await request();
  rude.close();
  for (const response of [closed, await request()]) {
    expect([response.status, json(response.text)]).toEqual([503, unavailable]);
    const type = expect.stringMatching(/^application\/json/);
    expect(response.headers).toMatchObject({ 'retry-after': '1', 'content-type': type });
  }
});

describe('bodies that arrive slowly', () => {
  /** Sends the start of a signup, and returns its connection. */
  function begin(address: string, bytes: string) {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    // A server that rejects a request before its body is complete may reset the connection.
    socket.on('error', () => undefined);
    socket.write(`POST /api/slow HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n${bytes}`);
    return socket;
  }

  /** Starts a site whose backend reports each part of a body at once. */
  async function startReporting() {
    const received = { calls: 0, bytes: 0 };
    const site = await startAnother({
      backendCalls: (backend) => {
        backend.addContentTypeParser('text/plain', (_request, payload, done) => {
          received.calls += 1;
          payload.on('data', (chunk: Buffer) => (received.bytes += chunk.length)).on('end', () => done(null, ''));
        });
        backend.post('/api/slow', () => ({}));
        backend.get('/api/fast', () => ({}));
      },
    });
    return { address: site.address, received };
  }

  test('are forwarded while they arrive, not collected', async () => {
    const { address, received } = await startReporting();
    const socket = begin(address, 'Content-Length: 90000\r\nConnection: close\r\n\r\nabc');
    await eventually(async () => expect(received).toEqual({ calls: 1, bytes: 3 }));
    socket.write('d'.repeat(89_997));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
    expect(received.bytes).toBe(90_000);
  });

  test('are so many at most, and further calls get 429 until one ends', async () => {
    const { address, received } = await startReporting();
    const sockets = Array.from({ length: maxCallsInProgress }, () => begin(address, 'Content-Length: 90000\r\n\r\na'));
    await eventually(async () => expect(received.calls).toBe(maxCallsInProgress));
    const rejected = await send(address, '/api/fast');
    expect([rejected.status, json(rejected.text).error]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(rejected.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await send(address, '/api/fast')).status).toBe(200));
  });

  test('are no errors in the log when the client cuts them off', async () => {
    const { address, received } = await startReporting();
    begin(address, 'Content-Length: 90000\r\n\r\na').destroySoon();
    await eventually(async () => expect((await send(address, '/api/fast')).status).toBe(200));
    expect(received.bytes).toBeLessThanOrEqual(1);
  });
});

test('a body for a page is rejected beyond a kilobyte, before it is read', async () => {
  const body = Buffer.alloc(1_001, 'a');
  expect((await call('/terms', { method: 'POST', headers: asJson, body })).status).toBe(413);
});

test('without BACKEND_URL, the API is not served', async () => {
  const alone = await startAnother({ variables: { BACKEND_URL: '' } });
  expect((await send(alone.address, '/api/waitlist', { method: 'POST' })).status).toBe(404);
});
