import { expect, newEmail, signUp, test } from '@daybook/testing/browser-test';
import * as stack from './stack.ts';

// What only images and a running stack show; what docker-compose.yml and Dockerfiles say: deploy/settings.spec.ts.

test('the servers run in production mode, with a heap limit below their memory limit', async () => {
  for (const service of ['shell-a', 'backend-b']) {
    const { HostConfig } = await stack.inspect(service);
    const script = 'process.env.NODE_ENV + " " + v8.getHeapStatistics().heap_size_limit';
    const [mode, heap] = (await stack.exec(service, 'node', '--print', script)).split(' ');
    expect.soft(mode, service).toBe('production');
    expect.soft(Number(heap) / HostConfig.Memory, service).toBeLessThan(0.6);
  }
});

test('the backend container has the operator command', async () => {
  const exported = await stack.exec('backend-a', 'operator', 'subscribers', 'export', '--by', 'Ann');
  expect(exported).toContain('"email","status"');
});

test('backend and shell log in to the database as their own roles, which own nothing', async () => {
  const logins = 'SELECT DISTINCT usename FROM pg_stat_activity WHERE client_addr IS NOT NULL ORDER BY usename';
  await expect.poll(() => stack.query(logins)).toBe('backend\nshell');
  const owned = "SELECT count(*) FROM pg_class WHERE relowner::regrole::text IN ('backend', 'shell')";
  expect(await stack.query(owned)).toBe('0');
});

test('both servers name their version and commit', async () => {
  const named = { version: stack.version, revision: 'abcdef0' };
  expect(await (await fetch(`${process.env.SITE_URL}/readyz`)).json()).toMatchObject(named);
  const ready = `fetch('http://127.0.0.1:3000/readyz').then((response) => response.text()).then(console.log)`;
  expect(JSON.parse(await stack.exec('backend-a', 'node', '--eval', ready))).toMatchObject(named);
});

test('the logs of several parts have lines of JSON after a prefix, as documented', async () => {
  await fetch(`${process.env.SITE_URL}/api/waitlist`, { method: 'POST' });
  const readLogs = () => stack.compose('logs', 'shell-a', 'shell-b', 'backend-a', 'backend-b', 'edge');
  // The edge writes its lines within a second.
  for (const service of ['shell', 'backend', 'edge'])
    await expect.poll(readLogs).toMatch(RegExp(`^[^{]*\\{.*"service":"${service}".*\\}$`, 'm'));
});

test('all data survives docker compose down and up', async ({ page }) => {
  const email = newEmail('before');
  const id = await signUp(page, email);
  const readLog = () => stack.query('SELECT * FROM releases.state ORDER BY remote, number');
  const log = await readLog();
  expect(log).toContain('mf-legal');
  await stack.compose('down');
  await stack.up();
  expect(await stack.query(`SELECT id FROM waitlist_entry ORDER BY created_at DESC LIMIT 1`)).toBe(String(id));
  expect(await readLog()).toBe(log);
  // The cookie secret survived too: the cookie is still valid.
  const response = await page.request.get('/api/waitlist/by-email', { params: { email } });
  expect((await response.json()).entry.id).toBe(id);
});
