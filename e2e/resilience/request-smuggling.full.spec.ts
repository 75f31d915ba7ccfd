import { once } from 'node:events';
import { connect } from 'node:net';
import { stopChild } from '@daybook/testing/processes';
import { startBackend } from '@daybook/testing/site';
import type { Client } from 'pg';
import { openEdge } from '../support/edge.ts';
import { expect, newEmail, test } from '../support/test.ts';

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
const chunked = (text: string) =>
  `Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

/** What follows the request line and `Host`. An `announced` body is never sent, and proxies drop an `empty` one. */
const attacks: readonly (readonly [what: string, body: 'none' | 'sent' | 'announced' | 'empty', rest: string])[] = [
  ['a body with its length', 'sent', 'Content-Length: 5\r\n\r\nabcde'],
  ['a length without a body', 'announced', 'Content-Length: 5000\r\n\r\n'],
  ['a chunked body', 'sent', chunked('abcde')],
  ['an empty chunked body', 'empty', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a request as its body', 'sent', `Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
  ['a request as its chunked body', 'sent', chunked(smuggled)],
  ['an announced trailer', 'none', 'Trailer: x\r\nContent-Length: 0\r\n\r\n'],
  [
    'a trailer behind its chunked body',
    'sent',
    'Trailer: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx: 1\r\n\r\n',
  ],
  ['two hosts', 'none', 'Host: other.example\r\nContent-Length: 0\r\n\r\n'],
];

/** Sends bytes over a new connection; `status` is that of the first response, or `NaN` if it closes without one. */
function send(url: string, bytes: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { promise: status, resolve } = Promise.withResolvers<number>();
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    if (received.includes('\r\n')) resolve(Number(received.split(' ')[1]));
  });
  socket.on('close', () => resolve(Number.NaN));
  // A server that rejects a request before its body is complete may reset the connection.
  socket.on('error', () => undefined);
  socket.write(bytes);
  return { status, closed: once(socket, 'close'), end: () => socket.destroy() };
}

/** Signs up over a pooled connection; returns the status if the response belongs to this signup. */
async function signUp(url: string): Promise<string> {
  const email = newEmail('behind');
  try {
    const response = await fetch(`${url}/api/waitlist`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
      // On a desynchronized connection it would wait 15 s.
      signal: AbortSignal.timeout(5_000),
    });
    const { entry } = (await response.json()) as { entry?: { email?: string } };
    return entry?.email === email ? String(response.status) : `${response.status}, of somebody else`;
  } catch (error) {
    return (error as Error).name;
  }
}

/** Runs every attack on a site, each followed by legitimate signups; returns the first faults. */
async function attack(url: string, database: Client, isProxied: boolean, paths: readonly string[]) {
  const faults: string[] = [];
  for (const [what, body, rest] of attacks)
    for (const [method, target] of methods.flatMap((each) => paths.map((path) => [each, path] as const))) {
      const name = `${method} ${target} with ${what}`;
      const attacker = send(url, `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${rest}`);
      const hasBody = body !== 'none' && !(isProxied && body === 'empty');
      const mustReject = what === 'two hosts' || (hasBody && methodsWithoutBody.includes(method));
      // A server that accepts a body waits for it; a proxy waits for any method.
      if (body !== 'announced' || (mustReject && !isProxied)) {
        const status = await attacker.status;
        if (mustReject ? status !== 400 : status >= 500) faults.push(`${name}: ${status}`);
        // Behind a proxy, the proxy closes the connection.
        else if (mustReject && !isProxied) await attacker.closed;
      }
      const results = [...(await Promise.all([signUp(url), signUp(url)])), await signUp(url)];
      const failed = results.filter((result) => result !== '201');
      if (failed.length > 0) faults.push(`${name}: signups behind it got ${failed.join(', ')}`);
      attacker.end();
      // Each may take a timeout.
      if (faults.length > 7) return faults;
    }
  const { rowCount } = await database.query(`SELECT FROM subscriber WHERE email = 'smuggled@example.com'`);
  return rowCount ? [...faults, 'a smuggled signup was stored'] : faults;
}

test.describe.configure({ mode: 'serial' });

test('no request changes another connection’s request, through the shell server', async ({ database, baseURL }) => {
  expect(await attack(String(baseURL), database, false, ['/api/waitlist'])).toEqual([]);
});

test('no request changes another connection’s request, through the edge', async ({ database, started }) => {
  const second = await startBackend({
    databaseUrl: process.env.DATABASE_URL ?? '',
    cookieSecret: 'end-to-end-tests-'.repeat(3),
    backendVariables: { LIMIT_NETWORK_WRITES: '100000', LIMIT_NETWORK_SIGNUPS: '100000' },
  });
  started.defer(() => stopChild(second.child));
  const { url } = await openEdge(started, [process.env.BACKEND_URL ?? '', second.url]);
  expect(await attack(url, database, true, allPaths)).toEqual([]);
});
