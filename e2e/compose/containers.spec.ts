import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

// What only images and a running stack show; what docker-compose.yml and Dockerfiles say: scripts/compose/settings.spec.ts.

test('the servers run in production mode, with a heap limit that leaves headroom in their containers', async () => {
  for (const service of ['shell-a', 'backend-b']) {
    const { HostConfig } = await stack.inspect(service);
    const script = 'process.env.NODE_ENV + " " + v8.getHeapStatistics().heap_size_limit';
    const [mode, heap] = (await stack.exec(service, 'node', '--print', script)).split(' ');
    expect.soft(mode, service).toBe('production');
    expect.soft(Number(heap) / HostConfig.Memory, service).toBeLessThan(0.6);
  }
});

test('the operator command in the backend container needs the name of whoever exports', async () => {
  expect(await stack.exec('backend-a', 'operator', 'subscribers', 'export', '--by', 'Ann')).toContain(
    '"email","status"',
  );
  await expect(stack.exec('backend-a', 'operator', 'subscribers', 'export')).rejects.toThrow('Name yourself');
});

test('backend and shell log in to the database as roles of their own, which own nothing', async () => {
  const logins =
    "SELECT string_agg(DISTINCT usename, ' ' ORDER BY usename) FROM pg_stat_activity WHERE client_addr IS NOT NULL";
  await expect.poll(() => stack.query(logins)).toBe('backend shell');
  expect(await stack.query("SELECT count(*) FROM pg_class WHERE relowner::regrole::text IN ('backend', 'shell')")).toBe(
    '0',
  );
});

test('both servers name their version and commit', async () => {
  const named = { version: stack.version, revision: 'abcdef0' };
  expect(await (await fetch(`${process.env.SITE_URL}/readyz`)).json()).toMatchObject(named);
  const ready = `fetch('http://127.0.0.1:3000/readyz').then((response) => response.text()).then(console.log)`;
  expect(JSON.parse(await stack.exec('backend-a', 'node', '--eval', ready))).toMatchObject(named);
});

test('lines of JSON are found in the logs of several parts as documented', async () => {
  await fetch(`${process.env.SITE_URL}/api/waitlist`, { method: 'POST' });
  const readLogs = () => stack.compose('logs', 'shell-a', 'shell-b', 'backend-a', 'backend-b', 'edge', 'postgres');
  // It writes them within a second.
  await expect.poll(readLogs).toContain('"service":"edge"');
  const logs = await readLogs();
  // The document's `sub("^[^{]*"; "") | fromjson?` for jq.
  const services = logs.split('\n').flatMap((line) => {
    try {
      return JSON.parse(line.replace(/^[^{]*/, '')).service;
    } catch {
      return [];
    }
  });
  for (const service of ['shell', 'backend', 'edge']) expect(services, logs.slice(0, 2_000)).toContain(service);
});
