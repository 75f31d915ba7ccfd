import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '@daybook/testing/eventually';
import { releaseOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { createTemporaryBuilds, type TemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let site: TemporaryBuilds;
let backend: Server;
let child: ChildProcess;
let inProgress: PromiseWithResolvers<ServerResponse>;

beforeEach(async () => {
  site = createTemporaryBuilds();
  site.release(releaseOf('mf-legal'));
  inProgress = Promise.withResolvers();
  backend = createServer((request, response) => {
    if (request.method === 'POST') inProgress.resolve(response);
    else response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(backend, 'listening');
});

afterEach(async () => {
  child.kill('SIGKILL');
  backend.closeAllConnections();
  backend.close();
  site.remove();
});

/** Runs the server in its own process, and returns its address. */
async function start(drainSeconds: number): Promise<string> {
  child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), site.shellFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      BACKEND_URL: `http://127.0.0.1:${(backend.address() as AddressInfo).port}`,
      DEVELOPMENT: 'true',
      DEVELOPMENT_BUILDS: JSON.stringify({ 'mf-legal': site.folderOf('mf-legal') }),
      RELEASES_FOLDER: path.join(site.folder, 'releases'),
      DRAIN_SECONDS: String(drainSeconds),
    },
  });
  for await (const line of createInterface({ input: child.stdout ?? ([] as never) })) {
    const [url] = /http:\S+\d/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error('The shell server ended before it listened.');
}

test('SIGTERM lets a call in progress finish, then exits with 0', async () => {
  const url = await start(0);
  const call = send(url, '/api/waitlist', { method: 'POST' });
  const response = await inProgress.promise;
  // Browsers open one ahead of need.
  const unused = connect(Number(new URL(url).port), '127.0.0.1');
  await once(unused, 'connect');
  child.kill('SIGTERM');
  await eventually(() => expect(send(url, '/healthz')).rejects.toThrow('ECONNREFUSED'));
  response.writeHead(201).end('{"id":7}');
  const respondedAt = performance.now();
  const { status, text, headers } = await call;
  expect([status, text, headers.connection]).toEqual([201, '{"id":7}', 'close']);
  child.stdout?.resume();
  expect(await once(child, 'exit')).toEqual([0, null]);
  // Far below the ten seconds for requests in progress.
  expect(performance.now() - respondedAt).toBeLessThan(5_000);
  unused.destroy();
});

test('SIGINT fails the readiness probe while pages are served, a second one exits', async () => {
  const url = await start(600);
  expect((await send(url, '/readyz')).status).toBe(200);
  child.kill('SIGINT');
  await eventually(async () => {
    const { status, headers, text } = await send(url, '/readyz');
    expect([status, headers.connection, text]).toEqual([503, 'close', expect.stringContaining('is about to stop.')]);
  });
  for (const path of ['/healthz', '/mf-legal']) expect((await send(url, path)).status).toBe(200);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
});
