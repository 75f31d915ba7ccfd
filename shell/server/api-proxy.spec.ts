import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Sent, send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { startRunningSite } from './test/running-site.ts';

let attempts = 0;
/** A backend that echoes the request that reached it. */
function echo(backend: FastifyInstance): void {
  backend.all('/api/echo', ({ method, url, headers, body }) => ({ method, url, headers, body }));
  backend.get('/api/created', ({ headers: { cookie } }, reply) =>
    reply
      .code(201)
      .headers({ 'X-Own': 'own', 'Set-Cookie': ['one=1; HttpOnly', 'two=2; SameSite=Lax'] })
      .send({ cookie }),
  );
  backend.get('/api/rejected', (_request, reply) => {
    attempts += 1;
    reply.code(503).send({ attempt: attempts });
  });
}

const running = await startRunningSite({ backendCalls: echo });
const call = (path: string, sent: Sent = {}) => send(running.url, path, sent);
const asJson = { 'Content-Type': 'application/json' };

test('a call is forwarded with query, body and headers', async () => {
  const url = '/api/echo?email=a%2Bb%40example.com&x=1&x=2';
  const headers = { ...asJson, 'Transfer-Encoding': 'chunked', 'Sec-GPC': '1', Expect: '100-continue' };
  const { text, ...response } = await call(url, { method: 'PUT', body: '{"email": "reader@münchen.de"}', headers });
  const body = { email: 'reader@münchen.de' };
  expect(JSON.parse(text)).toMatchObject({ method: 'PUT', url, headers: { 'sec-gpc': '1' }, body });
  // As the client asked; to the backend, connections stay open.
  expect(response.headers.connection).toBe('close');
});

test('responses of the backend are returned, also errors, and not asked for again', async () => {
  const created = await call('/api/created', { headers: { Cookie: 'entries=signed.value' } });
  expect([created.status, created.text]).toEqual([201, '{"cookie":"entries=signed.value"}']);
  expect(created.headers).toMatchObject({ 'x-own': 'own', 'set-cookie': ['one=1; HttpOnly', 'two=2; SameSite=Lax'] });
  expect(await call('/api/rejected')).toMatchObject({ status: 503, text: '{"attempt":1}' });
});

test.each([
  ['0', { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' }],
  ['1', { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }],
])('the client’s address is read from %s trusted proxies', async (TRUSTED_PROXIES, forwarded) => {
  const { url } = await startRunningSite({ backendCalls: echo, variables: { TRUSTED_PROXIES } });
  const headers = {
    'X-Forwarded-For': '198.51.100.1, 203.0.113.7',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'other.example',
  };
  const received = JSON.parse((await send(url, '/api/echo', { headers })).text).headers;
  expect(received).toMatchObject(forwarded);
  if (TRUSTED_PROXIES === '0') expect(received['x-forwarded-host']).toBe(new URL(url).host);
});

test('a backend that is down or closes connections is a 503', async () => {
  const closing = createServer((incoming) => incoming.socket.destroy());
  await once(closing.listen(0, '127.0.0.1'), 'listening');
  const { port } = closing.address() as AddressInfo;
  const { url } = await startRunningSite({ variables: { BACKEND_URL: `http://127.0.0.1:${port}` } });
  const request = () => send(url, '/api/waitlist', { method: 'POST', headers: asJson, body: '{}' });
  const closed = await request();
  closing.close();
  for (const response of [closed, await request()]) {
    expect([response.status, JSON.parse(response.text)]).toEqual([
      503,
      { statusCode: 503, message: expect.stringContaining('try again'), error: 'BACKEND_UNAVAILABLE' },
    ]);
    expect(response.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
  }
});

test('without BACKEND_URL, the API is not served', async () => {
  const alone = await startRunningSite({ variables: { BACKEND_URL: '' } });
  expect((await send(alone.url, '/api/waitlist', { method: 'POST' })).status).toBe(404);
});
