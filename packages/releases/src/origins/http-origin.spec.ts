import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openOrigin } from '../index.ts';
import { fakeClock } from '../test/fake-clock.ts';
import { HttpOrigin } from './http-origin.ts';
import type { OriginFailure } from './origin.ts';

// How origins may fail to respond is in packages/testing/src/faults.ts.

const signal = new AbortController().signal;

let server: Server;
let origin: HttpOrigin;
let requests: IncomingMessage[];
let respond: RequestListener;

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = new HttpOrigin(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterEach(async () => {
  jest.useRealTimers();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const failed = (reason: OriginFailure['reason'], message: string | RegExp) =>
  expect.objectContaining({ name: 'OriginFailure', reason, message: expect.stringMatching(message) });

async function read(name: string, stop = signal) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of origin.readFile(name, stop)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('an HTTP origin', () => {
  test('requests files below its address, with or without a trailing slash, uncompressed', async () => {
    respond = (_, response) => response.end('content');
    expect(origin.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(openOrigin(`${origin.address}/below//`)).toEqual(new HttpOrigin(`${origin.address}/below`));
    for (let times = 0; times < 2; times += 1) {
      expect(await origin.describe(signal)).toBe('content');
      expect(await read('chunks/a.js')).toBe('content');
    }
    const files = ['GET /release.json', 'GET /chunks/a.js'];
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([...files, ...files]);
    for (const { headers } of requests) {
      expect(headers).toMatchObject({ 'accept-encoding': 'identity' });
      // Without validators, and for files, it is not conditional.
      expect(headers).not.toHaveProperty('if-none-match');
      expect(headers).not.toHaveProperty('if-modified-since');
    }
  });

  test('decodes a response that is compressed anyway', async () => {
    respond = (_, response) => response.setHeader('Content-Encoding', 'gzip').end(gzipSync('content'));
    expect(await read('a.js')).toBe('content');
    expect(await origin.describe(signal)).toBe('content');
  });

  test('is read again after it was unreachable', async () => {
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(origin.describe(signal)).rejects.toEqual(failed('unreachable', /ECONNREFUSED/));
    await once(server.listen(port, '127.0.0.1'), 'listening');
    respond = (_, response) => response.end('content');
    expect(await origin.describe(signal)).toBe('content');
  });
});

describe('a conditional request for a description', () => {
  const validators: [string, string, string, string][] = [
    ['ETag', '"one"', 'if-none-match', '"two"'],
    ['Last-Modified', 'Sat, 21 Nov 2026 00:00:00 GMT', 'if-modified-since', 'Sun, 22 Nov 2026 00:00:00 GMT'],
  ];

  test.each(validators)('uses the %s, also after a failed response, on one connection', async (...row) => {
    const [header, first, condition, second] = row;
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    let [current, text] = [first, 'one'];
    respond = (request, response) => {
      response.setHeader(header, current);
      if (request.headers[condition] === current) response.writeHead(304).end();
      else response.end(text);
    };
    expect(await origin.describe(signal)).toBe('one');
    expect(await origin.describe(signal)).toBe('one');
    [current, text] = [second, 'two'];
    expect(await origin.describe(signal)).toBe('two');
    expect(await origin.describe(signal)).toBe('two');
    expect(connections).toBe(1);
    const working = respond;
    respond = (_, response) => {
      response.writeHead(200, { [header]: 'broken', 'Content-Length': 100 }).write('tw', () => response.destroy());
    };
    await expect(origin.describe(signal)).rejects.toEqual(failed('unreachable', 'it closed the connection'));
    respond = working;
    expect(await origin.describe(signal)).toBe('two');
    const conditions = requests.map(({ headers }) => headers[condition]);
    expect(conditions).toEqual([undefined, first, first, second, second, second]);
  });

  test('does not mix up release.json with release.jws', async () => {
    respond = (request, response) => {
      const name = String(request.url);
      if (request.headers['if-none-match'] === name) response.writeHead(304).end();
      else response.setHeader('ETag', name).end(`content of ${name}`);
    };
    for (let times = 0; times < 2; times += 1)
      for (const name of ['release.jws', 'release.json'] as const)
        expect(await origin.describe(signal, name)).toMatch(new RegExp(`^content of .*/${name}$`));
    const conditions = requests.map(({ headers }) => headers['if-none-match']?.split('/').at(-1));
    expect(conditions).toEqual([undefined, undefined, 'release.jws', 'release.json']);
  });
});

test('an endless file is closed when its reader stops', async () => {
  const closed = Promise.withResolvers<void>();
  respond = (_, response) => {
    response.once('close', closed.resolve);
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(50_000)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  };
  for await (const _ of origin.readFile('a.js', signal)) break;
  await closed.promise;
});

test('a slow file is read if each chunk comes within 10 s', async () => {
  const writeNext: (() => unknown)[] = [];
  respond = (_, response) => {
    response.write('x');
    for (let part = 1; part < 15; part += 1) writeNext.push(() => response.write('x'));
    writeNext.push(() => response.end());
  };
  fakeClock('timeouts');
  let text = '';
  for await (const chunk of origin.readFile('a.js', signal)) {
    text += String(chunk);
    jest.advanceTimersByTime(9_999);
    writeNext.shift()?.();
  }
  expect(text).toBe('x'.repeat(15));
});

test('a complete file is read although the server closes the connection before it is written', async () => {
  respond = (_, response) => response.setHeader('Connection', 'close').end(Buffer.alloc(131_072));
  let length = 0;
  for await (const { byteLength } of origin.readFile('a.js', signal)) {
    length += byteLength;
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  }
  expect(length).toBe(131_072);
});

test.each([
  ['release.json', (stop: AbortSignal) => origin.describe(stop)],
  ['a file', (stop: AbortSignal) => read('a.js', stop)],
])('an aborted request for %s ends immediately', async (_what, sendRequest) => {
  const controller = new AbortController();
  respond = () => controller.abort();
  await expect(sendRequest(controller.signal)).rejects.toEqual(failed('unreachable', /aborted/));
});
