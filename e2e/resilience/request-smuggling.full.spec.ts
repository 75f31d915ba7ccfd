import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stopChild } from '@daybook/runner/processes';
import { startBackend } from '@daybook/runner/site';
import { findNginx, startEdge } from '@daybook/testing/nginx';
import { Client } from 'pg';
import { expect, test } from '../support/test.ts';

/** Timeout of a legitimate signup in ms. On a desynchronized connection it would wait 15 s. */
const signupTimeout = 5_000;

/** Stops after this many faults: more add no information, and each may take a timeout. */
const maxFaults = 8;

/** Every path of the API is parsed in the same way: one that takes bodies, one that takes none, one that is not there. */
const allPaths = ['/api/waitlist', '/api/docs/openapi.json', '/api/x'];
const methodsWithoutBody = ['GET', 'HEAD', 'OPTIONS', 'DELETE'];
const methods = [...methodsWithoutBody, 'PUT', 'POST', 'PATCH'];

const smuggledBody = '{"email":"smuggled@example.com"}';
const smuggled = [
  'POST /api/waitlist HTTP/1.1',
  'Host: localhost',
  'X-Forwarded-For: 203.0.113.9',
  'Content-Type: application/json',
  `Content-Length: ${smuggledBody.length}`,
  '',
  smuggledBody,
].join('\r\n');
const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

interface Attack {
  readonly what: string;
  /** Request after the request line and `Host`. */
  readonly rest: string;
  /** Kind of body: an `announced` one is never sent, and proxies drop an `empty` one. */
  readonly body: 'none' | 'sent' | 'announced' | 'empty';
}

const attacks: readonly Attack[] = [
  { what: 'a body with its length', rest: 'Content-Length: 5\r\n\r\nabcde', body: 'sent' },
  { what: 'a length without a body', rest: 'Content-Length: 5000\r\n\r\n', body: 'announced' },
  { what: 'a chunked body', rest: `Transfer-Encoding: chunked\r\n\r\n${chunkOf('abcde')}`, body: 'sent' },
  { what: 'an empty chunked body', rest: 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n', body: 'empty' },
  { what: 'a request as its body', rest: `Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`, body: 'sent' },
  {
    what: 'a request as its chunked body',
    rest: `Transfer-Encoding: chunked\r\n\r\n${chunkOf(smuggled)}`,
    body: 'sent',
  },
  { what: 'an announced trailer', rest: 'Trailer: x\r\nContent-Length: 0\r\n\r\n', body: 'none' },
  {
    what: 'a trailer behind its chunked body',
    rest: 'Trailer: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx: 1\r\n\r\n',
    body: 'sent',
  },
  { what: 'two hosts', rest: 'Host: other.example\r\nContent-Length: 0\r\n\r\n', body: 'none' },
];

/** Sends bytes over a new connection and collects the response until it closes or `end` is called. */
function send(url: string, bytes: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  const firstLine = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.includes('\r\n')) resolve(received.slice(0, received.indexOf('\r\n')));
    });
    socket.on('close', () => resolve(received.slice(0, received.indexOf('\r\n'))));
  });
  // A server that rejects a request before its body is complete may reset the connection.
  socket.on('error', () => undefined);
  socket.write(bytes);
  return {
    status: async () => Number((await firstLine).split(' ')[1]),
    closed: once(socket, 'close'),
    end: () => socket.destroy(),
  };
}

let visitors = 0;

/** Signs up over a pooled connection and checks that the response belongs to this signup. */
async function signUp(url: string): Promise<string> {
  visitors += 1;
  const email = `honest.${process.pid}.${visitors}@example.com`;
  try {
    const response = await fetch(`${url}/api/waitlist`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
      signal: AbortSignal.timeout(signupTimeout),
    });
    const { entry } = (await response.json()) as { entry?: { email?: string } };
    return entry?.email === email ? String(response.status) : `${response.status}, of somebody else`;
  } catch (error) {
    return (error as Error).name;
  }
}

/** Runs every attack on a site, each followed by legitimate signups; returns the faults. */
async function attack(url: string, { isProxied = false, paths = allPaths } = {}): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { what, rest, body } of attacks) {
    for (const method of methods) {
      for (const target of paths) {
        if (faults.length >= maxFaults) return faults;
        const attacker = send(url, `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${rest}`);
        const name = `${method} ${target} with ${what}`;
        const hasBody = body !== 'none' && !(isProxied && body === 'empty');
        const mustReject = what === 'two hosts' || (hasBody && methodsWithoutBody.includes(method));
        // A server that accepts a body waits for it; a proxy waits for any method.
        const hasResponse = body !== 'announced' || (mustReject && !isProxied);
        if (hasResponse) {
          const status = await attacker.status();
          if (mustReject ? status !== 400 : status >= 500) faults.push(`${name}: ${status}`);
          // Behind a proxy, the proxy closes the connection.
          else if (mustReject && !isProxied) await attacker.closed;
        }
        const results = [...(await Promise.all([signUp(url), signUp(url)])), await signUp(url)];
        const failed = results.filter((result) => result !== '201');
        if (failed.length > 0) faults.push(`${name}: signups behind it got ${failed.join(', ')}`);
        attacker.end();
      }
    }
  }
  const database = new Client({ connectionString: process.env.DATABASE_URL });
  await database.connect();
  const { rowCount } = await database.query(`SELECT 1 FROM subscriber WHERE email = 'smuggled@example.com'`);
  await database.end();
  if (rowCount) faults.push('a smuggled signup was stored');
  return faults;
}

const siteUrl = () => process.env.SITE_URL ?? '';

test.describe.configure({ mode: 'serial' });

test('no request changes the meaning of another connection’s request, through the shell server', async () => {
  expect(await attack(siteUrl(), { paths: ['/api/waitlist'] })).toEqual([]);
});

test('no request changes the meaning of another connection’s request, through the edge to two backends', {
  tag: '@full',
}, async ({ started }) => {
  const program = findNginx();
  test.skip(program === undefined, 'nginx is not installed');
  const second = await startBackend({
    databaseUrl: process.env.DATABASE_URL ?? '',
    cookieSecret: 'end-to-end-tests-'.repeat(3),
    backendVariables: { LIMIT_NETWORK_WRITES: '100000', LIMIT_NETWORK_SIGNUPS: '100000' },
  });
  started.defer(() => stopChild(second.child));
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-edge-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const backends = [process.env.BACKEND_URL ?? '', second.url];
  const limits = { LIMIT_NETWORK_REQUESTS: '1000000' };
  const edge = await startEdge(program ?? '', started, folder, siteUrl(), limits, backends);
  expect(await attack(edge.url, { isProxied: true })).toEqual([]);
});
