import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitCode, startNode } from '@daybook/testing/processes';
import { root } from '@daybook/testing/workspaces';
import { afterEach, expect, test } from '@jest/globals';

const started = new AsyncDisposableStack();
afterEach(() => started.disposeAsync());

test('with --once, a server that was ready is healthy as long as it responds', async () => {
  const code: Record<string, number> = { '/readyz': 503, '/healthz': 200 };
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(code[url] ?? 404).end();
  }).listen(0, '127.0.0.1');
  started.use(server);
  await once(server, 'listening');
  const folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-probes-'));
  started.use(folder);
  const environment = { PORT: String((server.address() as AddressInfo).port), TMPDIR: folder.path };
  const check = (...words: readonly string[]) =>
    exitCode(startNode([path.join(root, 'deploy/health/ready.mjs'), ...words], { environment, output: 'ignore' }));
  expect(await check('--once')).toBe(1);
  code['/readyz'] = 200;
  expect([await check(), await check('--once')]).toEqual([0, 0]);
  code['/readyz'] = 503;
  expect([await check(), await check('--once')]).toEqual([1, 0]);
  code['/healthz'] = 503;
  expect(await check('--once')).toBe(1);
});
