import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findNginx, startEdge } from '@daybook/testing/nginx';
import { afterAll, describe, expect, it } from '@jest/globals';
import { send } from '../../shell/server/test/send.ts';

const program = findNginx();
const started = new AsyncDisposableStack();
afterAll(() => started.disposeAsync());

/** Starts the edge in front of a server that numbers its responses, lets them be cached, and reports the client. */
async function start(trustedProxies: number): Promise<string> {
  let count = 0;
  const shell = createServer(({ headers }, response) => {
    count += 1;
    response.setHeader('X-Accel-Expires', '60').setHeader('X-Client', String(headers['x-forwarded-for']));
    response.end(String(count));
  });
  shell.listen(0, '127.0.0.1');
  await once(shell, 'listening');
  started.defer(() => void shell.close());
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-edge-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const shellAddress = `http://127.0.0.1:${(shell.address() as AddressInfo).port}`;
  const variables = { TRUSTED_PROXIES: String(trustedProxies), LIMIT_NETWORK_REQUESTS: '1000000' };
  return (await startEdge(program ?? '', started, folder, shellAddress, variables)).address;
}

(program === undefined ? describe.skip : describe)('the edge', () => {
  it('stores a response only for the plain spelling of its path', async () => {
    const edge = await start(0);
    for (const page of ['/terms', '/assets/shell.0a1b2c3d.js']) {
      const { text } = await send(edge, page);
      expect((await send(edge, `${page}?a=1#b`)).text).toBe(text);
      for (const spelling of [`${page}#1`, page.replace('s', '%73')]) {
        const responses = [await send(edge, spelling), await send(edge, spelling)];
        expect([spelling, new Set([text, ...responses.map((each) => each.text)]).size]).toEqual([spelling, 3]);
      }
    }
  });

  it.each([
    [0, '203.0.113.7', '127.0.0.1'],
    [1, '198.51.100.6, 203.0.113.7', '203.0.113.7'],
    [1, '198.51.100.6, [2001:db8::7]:443', '2001:db8::7'],
    [2, '198.51.100.6, 203.0.113.7:4711, 192.0.2.1', '203.0.113.7'],
    // Not through all proxies.
    [2, '203.0.113.7', '203.0.113.7'],
    [3, '203.0.113.7, 192.0.2.1', '203.0.113.7'],
    // The proxy does not name the client: not the address that the client states.
    [1, '198.51.100.6, unknown', '127.0.0.1'],
    [2, '198.51.100.6, fe80::1%eth0, 192.0.2.1', '127.0.0.1'],
    [2, '198.51.100.6, , 192.0.2.1', '127.0.0.1'],
  ])('with %d trusted proxies and X-Forwarded-For %j, the client is %s', async (proxies, forwarded, client) => {
    const edge = await start(proxies);
    const { headers } = await send(edge, '/', { headers: { 'X-Forwarded-For': forwarded } });
    expect(headers['x-client']).toBe(client);
  });
});
