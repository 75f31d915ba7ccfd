import { connect } from 'node:net';
import { expect, newEmail, test } from '@daybook/testing/browser-test';
import { stopChild } from '@daybook/testing/processes';
import { startBackend } from '@daybook/testing/site';
import type { Client } from 'pg';
import { openEdge } from './edge.ts';

/** Paths of the API: one that takes bodies, one that takes none, one that is not there. */
const allPaths = ['/api/waitlist', '/api/docs/openapi.json', '/api/x'];
const methods = ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PUT', 'POST', 'PATCH'];

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

/** What follows the request line and `Host`. An announced body is never sent. */
const attacks = {
  'a body with its length': 'Content-Length: 5\r\n\r\nabcde',
  'an announced body': 'Content-Length: 5000\r\n\r\n',
  'a chunked body': chunked('abcde'),
  'an empty chunked body': 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a request as its body': `Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  'a request as its chunked body': chunked(smuggled),
  'an announced trailer': 'Trailer: x\r\nContent-Length: 0\r\n\r\n',
  'two hosts': 'Host: other.example\r\nContent-Length: 0\r\n\r\n',
};

/** Sends bytes over a new connection; `status` is that of the first response, or `NaN` if it closes without one. */
function send(url: string, bytes: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { promise: status, resolve } = Promise.withResolvers<number>();
  socket.once('data', (chunk) => resolve(Number(String(chunk).split(' ')[1])));
  socket.on('close', () => resolve(Number.NaN));
  // A server that rejects a request before its body is complete may reset the connection.
  socket.on('error', () => undefined);
  socket.write(bytes);
  return { status, end: () => socket.destroy() };
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
      signal: AbortSignal.timeout(12_000),
    });
    const { entry } = (await response.json()) as { entry?: { email?: string } };
    return entry?.email === email ? String(response.status) : `${response.status}, of somebody else`;
  } catch (error) {
    return (error as Error).name;
  }
}

/** Runs every attack on a site, each followed by legitimate signups; returns the first faults. */
async function attack(url: string, database: Client, paths: readonly string[]) {
  const faults: string[] = [];
  for (const [what, rest] of Object.entries(attacks))
    for (const [method, target] of methods.flatMap((each) => paths.map((path) => [each, path] as const))) {
      const attacker = send(url, `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${rest}`);
      const status = what === 'an announced body' ? 0 : await attacker.status;
      const results = [...(await Promise.all([signUp(url), signUp(url)])), await signUp(url)];
      if (status >= 500 || results.some((result) => result !== '201'))
        faults.push(`${method} ${target} with ${what}: ${status}; signups behind it: ${results.join(', ')}`);
      attacker.end();
      // Each may take a timeout.
      if (faults.length > 7) return faults;
    }
  const { rowCount } = await database.query(`SELECT FROM subscriber WHERE email = 'smuggled@example.com'`);
  return rowCount ? [...faults, 'a smuggled signup was stored'] : faults;
}

test.describe.configure({ mode: 'serial' });

test('no request changes another connection’s request, through the shell server', async ({ database, baseURL }) => {
  expect(await attack(String(baseURL), database, ['/api/waitlist'])).toEqual([]);
});

test('no request changes another connection’s request, through the edge', async ({ database, started }) => {
  const second = await startBackend({
    databaseUrl: process.env.DATABASE_URL ?? '',
    cookieSecret: 'end-to-end-tests-'.repeat(3),
    backendVariables: { LIMIT_NETWORK_WRITES: '100000', LIMIT_NETWORK_SIGNUPS: '100000' },
  });
  started.defer(() => stopChild(second.child));
  const { url } = await openEdge(started, [process.env.BACKEND_URL ?? '', second.url]);
  expect(await attack(url, database, allPaths)).toEqual([]);
});
