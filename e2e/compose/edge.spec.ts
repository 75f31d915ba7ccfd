import { connect } from 'node:net';
import { docker } from '@daybook/testing/compose';
import { type Sent, send } from '@daybook/testing/send';
import { expect, test } from '@playwright/test';
import * as stack from './stack.ts';

// The memory that its container's limit counts; all else of the edge: scripts/compose/edge.spec.ts.

const site = process.env.SITE_URL ?? '';

const get = (path: string, headers: Sent['headers'] = {}) => send(site, path, { headers });

/** Recreates the edge with other settings. */
async function configure(settings: Readonly<Record<string, string>>): Promise<void> {
  stack.changeSettings(settings);
  await stack.up('--no-deps', 'edge');
}

test.describe('attacked by slow clients', () => {
  let edge: string;
  /** Memory in MB of the edge's processes, tmpfs and sockets, which its limit kills it for. */
  async function memoryOfEdge(): Promise<number> {
    const files = '/sys/fs/cgroup/memory.stat /sys/fs/cgroup/memory/memory.stat';
    const stat = await docker('exec', edge, 'sh', '-c', `cat ${files} 2>/dev/null || true`);
    const counted = [...stat.matchAll(/^(?:anon|shmem|sock|total_rss|total_shmem) (\d+)$/gm)];
    return counted.reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 1_000_000;
  }

  /** Opens connections that send bytes, and then neither read nor write; collects the statuses of those with a response. */
  // Not more than 2,400 at once: Docker's own proxy uses six of its open files for each.
  function openSlow(count: number, bytesOf: (index: number) => string) {
    const { hostname, port } = new URL(site);
    const statuses: number[] = [];
    const sockets = Array.from({ length: count }, (_, index) => {
      const socket = connect(Number(port), hostname);
      socket.once('readable', () => {
        const start = String(socket.read(12) ?? '');
        if (start) statuses.push(Number(start.slice(9)));
      });
      // The edge ends connections that it rejects.
      socket.on('error', () => undefined).write(bytesOf(index));
      return socket;
    });
    return { statuses, end: () => sockets.map((socket) => socket.destroy()) };
  }

  /** Returns the growth of the edge's memory in MB after it has stopped growing. */
  async function growthDuring(before: number): Promise<number> {
    const measured: number[] = [];
    await expect(async () => {
      measured.push((await memoryOfEdge()) - before);
      const [earlier = 0, latest = 0] = [measured.at(-4), measured.at(-1)];
      expect(measured.length).toBeGreaterThan(15);
      expect(latest - earlier).toBeLessThan(1);
    }).toPass({ timeout: 60_000, intervals: [200] });
    return Math.max(...measured);
  }

  // With the default limits.
  test.beforeAll(async () => {
    await configure({ PROXY_ADDRESSES: '0.0.0.0/0', LIMIT_NETWORK_REQUESTS: '' });
    edge = await stack.containerId('edge');
  });
  test.afterAll(() => configure({ PROXY_ADDRESSES: '', LIMIT_NETWORK_REQUESTS: '1000000' }));

  test('400 readers of a file of 1.7 MB take at most 60 MB', async () => {
    const file = '/api/docs/static/swagger-ui-bundle.js';
    expect((await get(file)).body.length).toBeGreaterThan(1_000_000);
    const before = await memoryOfEdge();
    const slow = openSlow(400, () => `GET ${file} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n`);
    await expect.poll(() => slow.statuses.length, { timeout: 60_000 }).toBe(400);
    const growth = await growthDuring(before);
    // How many are rejected depends on how much of the file the machine's own buffers take.
    expect(slow.statuses.filter((status) => ![200, 429].includes(status))).toEqual([]);
    expect((await get('/terms', { 'X-Forwarded-For': '203.0.113.8' })).status).toBe(200);
    slow.end();
    expect(growth).toBeLessThan(60);
  });

  test('2,400 bodies from 12 networks, to pages and to the API, take at most 250 MB', async () => {
    const before = await memoryOfEdge();
    const slow = openSlow(2_400, (index) => {
      const url = ['/terms', '/_reports', '/api/waitlist'][index % 3];
      const client = `X-Forwarded-For: 203.0.113.${index % 12}`;
      const body = 'x'.repeat(38_000);
      return `POST ${url} HTTP/1.1\r\nHost: localhost\r\n${client}\r\nContent-Length: 40000\r\n\r\n${body}`;
    });
    const growth = await growthDuring(before);
    expect(slow.statuses.filter((status) => ![413, 429].includes(status))).toEqual([]);
    // Visitors of other networks still get pages.
    expect((await get('/terms', { 'X-Forwarded-For': '203.0.113.77' })).status).toBe(200);
    slow.end();
    // 100 of each network at once.
    expect(growth).toBeLessThan(250);
  });
});
