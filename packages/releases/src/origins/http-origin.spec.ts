import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openOrigin } from '../index.ts';
import { HttpOrigin } from './http-origin.ts';
import type { FailureReason } from './origin.ts';

/** In ms: long enough for a response on a busy machine, short enough for a test. */
const timeout = 1_500;
const signal = new AbortController().signal;

let server: Server;
let origin: HttpOrigin;
let requests: IncomingMessage[];
let respond: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = new HttpOrigin(`http://127.0.0.1:${port}/`, timeout);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const failed = (reason: FailureReason, message: string | RegExp) =>
  expect.objectContaining({ name: 'OriginFailure', reason, message: expect.stringMatching(message) });

async function read(name: string, stop = signal) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of origin.readFile(name, stop)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

// How origins may fail to respond is in packages/testing/src/faults.ts.

describe('an HTTP origin', () => {
  test('requests files below its address, with or without a trailing slash, uncompressed', async () => {
    respond = (_, response) => response.end('content');
    expect(origin.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(openOrigin(`${origin.address}/below//`)).toEqual(new HttpOrigin(`${origin.address}/below`));
    expect(await origin.describe(signal)).toBe('content');
    expect(await read('chunks/a.js')).toBe('content');
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /release.json', 'GET /chunks/a.js']);
    expect(requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity', 'identity']);
  });

  test('decodes a response that is compressed anyway', async () => {
    respond = (_, response) => response.setHeader('Content-Encoding', 'gzip').end(gzipSync('content'));
    expect(await read('a.js')).toBe('content');
    expect(await origin.describe(signal)).toBe('content');
  });

  test('that does not respond is left after its time', async () => {
    respond = () => undefined;
    const impatient = new HttpOrigin(origin.address, 50);
    await expect(impatient.describe(signal)).rejects.toEqual(failed('timeout', 'it did not respond within 0.05 s'));
  });

  test('is read again after it was unreachable', async () => {
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(origin.describe(signal)).rejects.toEqual(failed('unreachable', /ECONNREFUSED/));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    respond = (_, response) => response.end('content');
    expect(await origin.describe(signal)).toBe('content');
  });
});

describe('a conditional request for release.json', () => {
  const validators: [string, string, string, string][] = [
    ['ETag', '"one"', 'if-none-match', '"two"'],
    ['Last-Modified', 'Sat, 21 Nov 2026 00:00:00 GMT', 'if-modified-since', 'Sun, 22 Nov 2026 00:00:00 GMT'],
  ];

  test.each(validators)('uses the %s', async (header, first, condition, second) => {
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
    expect(requests.map(({ headers }) => headers[condition])).toEqual([undefined, first, first, second]);
  });

  test('does not mix it up with release.jws', async () => {
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

  test('reuses one connection for all polls', async () => {
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    respond = (request, response) => {
      if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else response.setHeader('ETag', '"one"').end('one');
    };
    for (let times = 0; times < 5; times += 1) expect(await origin.describe(signal)).toBe('one');
    expect(connections).toBe(1);
  });

  test('keeps the last valid ETag after a failed response', async () => {
    let broken = false;
    respond = (request, response) => {
      if (broken) {
        response.writeHead(200, { ETag: '"broken"', 'Content-Length': 100 }).write('tw');
        response.destroy();
      } else if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else response.setHeader('ETag', '"one"').end('one');
    };
    expect(await origin.describe(signal)).toBe('one');
    broken = true;
    await expect(origin.describe(signal)).rejects.toEqual(failed('unreachable', 'it closed the connection'));
    broken = false;
    expect(await origin.describe(signal)).toBe('one');
    expect(requests.at(-1)?.headers['if-none-match']).toBe('"one"');
  });

  test('is not sent without validators, nor for files', async () => {
    respond = (_, response) => response.end('content');
    for (let times = 0; times < 2; times += 1) {
      await origin.describe(signal);
      await read('a.js');
    }
    for (const { headers } of requests) {
      expect(headers).not.toHaveProperty('if-none-match');
      expect(headers).not.toHaveProperty('if-modified-since');
    }
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

test('reads a slow file if each chunk is in time', async () => {
  respond = (_, response) => {
    let parts = 0;
    const dripping = setInterval(() => {
      parts += 1;
      if (parts < 16) response.write('x');
      else response.end(() => clearInterval(dripping));
    }, timeout / 10);
  };
  expect(await read('a.js')).toBe('x'.repeat(15));
});

test('reads a complete file although the server closes the connection before it is written', async () => {
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
