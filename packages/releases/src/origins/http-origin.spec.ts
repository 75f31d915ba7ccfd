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

/** Both kinds of requests to an origin. */
const requestKinds: [string, () => Promise<string>][] = [
  ['release.json', () => origin.describe(signal)],
  ['a file', () => read('chunks/a.js')],
];

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
    for (const [, sendRequest] of [...requestKinds, ...requestKinds]) await sendRequest();
    for (const { headers } of requests) {
      expect(headers).not.toHaveProperty('if-none-match');
      expect(headers).not.toHaveProperty('if-modified-since');
    }
  });
});

describe.each(requestKinds)('a request for %s', (_what, sendRequest) => {
  test.each<[number, FailureReason]>([
    [404, 'missing'],
    [403, 'missing'],
    [500, 'answer'],
    [503, 'answer'],
    [304, 'answer'],
  ])('fails with status %p', async (status, reason) => {
    respond = (_, response) => response.writeHead(status).end(status === 304 ? undefined : '<html>sorry</html>');
    await expect(sendRequest()).rejects.toEqual(
      failed(reason, RegExp(`^it responded with ${status} for (release\\.json|chunks/a\\.js)$`)),
    );
  });

  test.each([301, 302, 307, 308])('does not follow a redirect with status %p', async (status) => {
    respond = (request, response) => {
      if (request.url === '/elsewhere') response.end('content');
      else response.writeHead(status, { Location: '/elsewhere' }).end();
    };
    await expect(sendRequest()).rejects.toEqual(failed('answer', RegExp(`^it responded with ${status} for `)));
    expect(requests).toHaveLength(1);
  });

  test('times out if the server never responds', async () => {
    respond = () => undefined;
    await expect(sendRequest()).rejects.toEqual(failed('timeout', /^it did not respond within 1\.5 s$/));
  });

  test('times out if the response stalls', async () => {
    respond = (_, response) => response.writeHead(200).write('the first');
    await expect(sendRequest()).rejects.toEqual(failed('timeout', /^it did not respond within 1\.5 s$/));
  });

  test('fails if the connection closes in the middle of the response', async () => {
    respond = (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('the first', () => response.destroy());
    };
    await expect(sendRequest()).rejects.toEqual(failed('unreachable', 'it closed the connection'));
  });

  test('fails if the response is compressed incorrectly', async () => {
    respond = (_, response) => response.setHeader('Content-Encoding', 'gzip').end('not packed');
    await expect(sendRequest()).rejects.toEqual(failed('unreachable', 'incorrect header check'));
  });
});

describe('an endless response', () => {
  const endless = (_: unknown, response: ServerResponse) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(50_000)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  };

  test('for release.json is cut off at the size limit', async () => {
    respond = endless;
    await expect(origin.describe(signal)).rejects.toEqual(
      failed('answer', /^its release\.json is larger than 300000 bytes$/),
    );
  });

  test('for release.json times out as a whole, even if each chunk is in time', async () => {
    const dripping: NodeJS.Timeout[] = [];
    respond = (_, response) => dripping.push(setInterval(() => response.write('x'), timeout / 10));
    await expect(origin.describe(signal)).rejects.toEqual(failed('timeout', /^it did not respond within/));
    for (const each of dripping) clearInterval(each);
  });

  test('for a file is closed when its reader stops', async () => {
    const closed = Promise.withResolvers<void>();
    respond = (request, response) => {
      response.once('close', closed.resolve);
      endless(request, response);
    };
    for await (const _ of origin.readFile('a.js', signal)) break;
    await closed.promise;
  });
});

test.each(requestKinds)(
  'fails if the server switches protocols instead of responding with %s',
  async (_what, sendRequest) => {
    server.on('upgrade', () => undefined);
    respond = ({ socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    await expect(sendRequest()).rejects.toEqual(failed('unreachable', /^it closed the connection$/));
  },
);

test.each(requestKinds)('fails if the server sends only informational responses for %s', async (_what, sendRequest) => {
  respond = ({ socket }) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100));
  await expect(sendRequest()).rejects.toEqual(failed('unreachable', /too many informational responses/));
});

test('rejects a file in one-byte chunks', async () => {
  respond = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write('1\r\na\r\n'.repeat(200_000));
  };
  await expect(read('a.js')).rejects.toEqual(failed('answer', 'it sent more framing than content of a.js'));
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

describe('an aborted request', () => {
  test.each(requestKinds)('for %s ends immediately', async (what) => {
    const controller = new AbortController();
    respond = () => controller.abort();
    const reading = what === 'a file' ? read('a.js', controller.signal) : origin.describe(controller.signal);
    await expect(reading).rejects.toEqual(failed('unreachable', /aborted/));
  });
});
