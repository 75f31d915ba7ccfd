import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitCode, startNode } from '@daybook/runner/processes';
import { root } from '@daybook/runner/workspaces';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

// No probe kills what is only slow to start, or what works and waits for another part.

const read = (file: string) =>
  parse(readFileSync(path.join(root, file), 'utf8'), { merge: true, maxAliasCount: -1, logLevel: 'error' });

test('the database has hours to recover before an engine considers it unhealthy', () => {
  for (const file of ['docker-compose.yml', 'deploy/swarm/stack.yml'])
    expect([file, read(file).services.postgres.healthcheck.start_period]).toEqual([file, '24h']);
});

test('a swarm gives servers an hour, and then kills only those that do not respond', () => {
  const { services } = read('deploy/swarm/stack.yml');
  for (const name of ['backend', 'shell'])
    expect(services[name].healthcheck).toMatchObject({
      start_period: '1h',
      test: ['CMD', 'node', '/usr/local/lib/ready.mjs', '--once'],
    });
  for (const name of ['backup', 'edge']) expect(services[name].healthcheck.start_period).toBe('10m');
});

test('a server that was ready once is healthy with --once as long as it responds, and without it only while ready', async () => {
  const code = { '/readyz': 503, '/healthz': 200 };
  const server = createServer(({ url }, response) => {
    response.writeHead(code[url as keyof typeof code]).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-probes-'));
  const environment = { PORT: String((server.address() as AddressInfo).port), TMPDIR: folder };
  const check = (...words: readonly string[]) =>
    exitCode(startNode([path.join(root, 'deploy/health/ready.mjs'), ...words], { environment, output: 'ignore' }));
  try {
    expect(await check('--once')).toBe(1);
    code['/readyz'] = 200;
    expect([await check(), await check('--once')]).toEqual([0, 0]);
    code['/readyz'] = 503;
    expect([await check(), await check('--once')]).toEqual([1, 0]);
    code['/healthz'] = 503;
    expect(await check('--once')).toBe(1);
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
});
