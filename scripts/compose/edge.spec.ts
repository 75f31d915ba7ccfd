import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findNginx, startEdge } from '@daybook/testing/nginx';
import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../shell/server/test/eventually.ts';
import { send } from '../../shell/server/test/send.ts';

const program = findNginx();
const started = new AsyncDisposableStack();
afterAll(() => started.disposeAsync());

/** Starts the edge in front of a server that numbers its responses, lets them be cached, and reports the client. */
async function start(trustedProxies: number, limit = '1000000') {
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
  const variables = { TRUSTED_PROXIES: String(trustedProxies), LIMIT_NETWORK_REQUESTS: limit };
  const { address } = await startEdge(program ?? '', started, folder, shellAddress, variables);
  return { address, folder };
}

(program === undefined ? describe.skip : describe)('the edge', () => {
  it('stores a response only for the plain spelling of its path', async () => {
    const { address: edge } = await start(0);
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
    const { address: edge } = await start(proxies);
    const { headers } = await send(edge, '/', { headers: { 'X-Forwarded-For': forwarded } });
    expect(headers['x-client']).toBe(client);
  });

  it('logs one in a hundred of its own rejections, and every other request', async () => {
    const { address, folder } = await start(0, '600');
    const statuses = new Map<number, number>();
    for (let batch = 0; batch < 40; batch += 1) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => fetch(`${address}/api/x`)));
      for (const { status } of responses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await Promise.all(responses.map((response) => response.arrayBuffer()));
    }
    const rejected = statuses.get(429) ?? 0;
    expect(rejected).toBeGreaterThan(1_000);
    await send(address, '/last');
    const lines = await eventually(async () => {
      const text = readFileSync(path.join(folder, 'access.log'), 'utf8');
      expect(text).toContain('"path":"/last"');
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    });
    const weightsOf = (status: number) => lines.filter((line) => line.status === status).map(({ weight }) => weight);
    // Of 1,000 to 2,000 rejections 10 to 20 are expected; more than 60 in one of 10^20 runs.
    expect(weightsOf(429).length).toBeLessThan(60);
    expect(new Set(weightsOf(429)).difference(new Set([100]))).toEqual(new Set());
    const passed = lines.filter((line) => line.path === '/api/x' && line.status === 200);
    expect(passed.map(({ weight }) => weight)).toEqual(Array(2_000 - rejected).fill(1));
  });
});
