import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { dataHeaders, limitConnections, readRestOfBodies, serverOptions } from './connections.ts';

const options = serverOptions({ service: 'backend', level: 'silent', trustedProxies: 0 });
const { clientErrorHandler } = options;
const app = Fastify({ bodyLimit: 1_000, logger: false, clientErrorHandler });
readRestOfBodies(app);
app.addHook('onRequest', async ({ url }, reply) => {
  if (url === '/rejected') await reply.code(429).send('');
});
app.post('/read', async () => '');
await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => app.close());

test('a server limits the time of a request, of its headers and of silence in ms, and the number of connections', async () => {
  const { server } = Fastify({ ...options, logger: false });
  limitConnections(server);
  const times = { headersTimeout: 10_000, requestTimeout: 20_000, timeout: 60_000 };
  expect(server).toMatchObject({ ...times, maxConnections: 10_000 });
});

/** Connects to a server, and collects what it sends until it closes the connection. */
function open(server: FastifyInstance) {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  const received = { text: '' };
  socket.setEncoding('utf8').on('data', (data: string) => {
    received.text += data;
  });
  const closed = once(socket, 'close').then(([hadError]) => ({ hadError }));
  return { socket, received, closed, statuses: () => received.text.match(/HTTP\/1\.1 \d+/g) };
}

const length = 30_000;

test.each([
  ['/rejected', 'close', 429],
  ['/read', 'close', 413],
  ['/read', 'keep-alive', 413],
])('a body of %s with Connection: %s is read to its end after the response', async (url, connection, status) => {
  const { socket, received, closed, statuses } = open(app);
  const head = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: ${connection}`;
  socket.write(`POST ${url} HTTP/1.1\r\n${head}\r\n\r\n{`);
  await once(socket, 'data');
  expect(received.text).toMatch(`HTTP/1.1 ${status} `);
  // What a server that has closed the connection answers with a reset.
  socket.write(' '.repeat(length - 2));
  if (connection === 'close') socket.write('}');
  // The next request of a connection that stays.
  else socket.write(`}POST /rejected HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(await closed).toEqual({ hadError: false });
  expect(statuses()?.length).toBe(connection === 'close' ? 1 : 2);
});

test('a body that cannot be parsed after its response causes no second one', async () => {
  const { socket, closed, statuses } = open(app);
  socket.write('POST /rejected HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
  await once(socket, 'data');
  socket.write('no chunk\r\n');
  await closed;
  expect(statuses()).toEqual(['HTTP/1.1 429']);
});

test('what arrives of a body after its timeout does not reset the connection, so that a proxy gets the response', async () => {
  const requestTimeout = 200;
  const http = { requestTimeout, connectionsCheckingInterval: 50 };
  const impatient = Fastify({ logger: false, clientErrorHandler, http, requestTimeout });
  impatient.post('/read', async () => '');
  await impatient.listen({ port: 0, host: '127.0.0.1' });
  const { socket, received, closed, statuses } = open(impatient);
  socket.write('POST /read HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{');
  await once(impatient.server, 'clientError');
  // Two writes: the first one would cause the reset that fails the second one.
  for (let times = 0; times < 2; times += 1) await new Promise((written) => socket.write(' ', written));
  expect(await closed).toEqual({ hadError: false });
  expect(statuses()).toEqual(['HTTP/1.1 408']);
  for (const [name, value] of Object.entries(dataHeaders)) expect(received.text).toContain(`\r\n${name}: ${value}\r\n`);
  const body = { statusCode: 408, message: 'The request timed out.', error: 'REQUEST_TIMEOUT' };
  expect(JSON.parse(received.text.split('\r\n\r\n')[1] ?? '')).toEqual(body);
  await impatient.close();
});
