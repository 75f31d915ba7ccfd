import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { eventually } from '@daybook/testing/eventually';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTemporarySite, releaseOf, type TemporarySite } from '../../packages/releases/src/test/temporary-site.ts';
import { send } from './test/send.ts';

let site: TemporarySite;
let child: ChildProcess;
beforeEach(() => {
  site = createTemporarySite();
  site.release(releaseOf('mf-legal'));
});
afterEach(() => {
  child.kill('SIGKILL');
  site.remove();
});

/** Runs the server in its own process, and returns its address. */
async function start(drainSeconds: number): Promise<string> {
  child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), site.shellFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      REMOTES: `mf-legal=file:${site.folderOf('mf-legal')}`,
      RELEASES_FOLDER: path.join(site.folder, 'releases'),
      DRAIN_SECONDS: String(drainSeconds),
    },
  });
  for await (const line of createInterface({ input: child.stdout ?? ([] as never) })) {
    const [address] = /http:\S+\d/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error('The shell server ended before it listened.');
}

test('SIGTERM lets a request in progress finish, then exits with 0, whoever holds an unused connection', async () => {
  const address = await start(0);
  const connection = () => connect(Number(new URL(address).port), '127.0.0.1');
  const [inProgress, unused] = [connection(), connection()];
  await once(unused, 'connect');
  inProgress.write('POST /_reports HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\n');
  // The server has read it.
  await send(address, '/healthz');
  child.kill('SIGTERM');
  await eventually(() => expect(send(address, '/healthz')).rejects.toThrow('ECONNREFUSED'));
  inProgress.write('null');
  const respondedAt = performance.now();
  expect(await text(inProgress)).toMatch(/^HTTP\/1.1 400 [\s\S]*connection: close/i);
  child.stdout?.resume();
  expect(await once(child, 'exit')).toEqual([0, null]);
  // Far below the ten seconds for requests in progress.
  expect(performance.now() - respondedAt).toBeLessThan(5_000);
  unused.destroy();
});

test('SIGINT fails the readiness probe while pages are served and connections closed, and a second one exits immediately', async () => {
  const address = await start(600);
  expect((await send(address, '/readyz')).status).toBe(200);
  child.kill('SIGINT');
  await eventually(async () => {
    const { status, headers, text } = await send(address, '/readyz');
    expect([status, headers.connection, text]).toEqual([503, 'close', expect.stringContaining('is about to stop.')]);
  });
  for (const path of ['/healthz', '/mf-legal']) expect((await send(address, path)).status).toBe(200);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
});
