import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

test('the heap limit of each server leaves headroom in its container', async () => {
  for (const service of ['shell', 'backend']) {
    const { HostConfig } = await stack.inspect(service);
    const heap = await stack.exec(service, 'node', '--print', 'v8.getHeapStatistics().heap_size_limit');
    expect.soft(Number(heap) / HostConfig.Memory, service).toBeLessThan(0.6);
  }
});

test('the operator command in the backend container needs the name of whoever exports', async () => {
  expect(await stack.exec('backend', 'operator', 'stats')).toContain('Subscribers');
  await expect(stack.exec('backend', 'operator', 'subscribers', 'export')).rejects.toThrow('Name yourself');
});

/** Runs a statement with the address in a service's file, as the service does. */
const queryAs = async (service: string, file: string, statement: string) =>
  stack.exec('postgres', 'psql', await stack.exec(service, 'cat', file), '-c', statement);

test('backend and shell log in to the database as roles of their own, which own nothing', async () => {
  expect(await queryAs('backend', '/run/secrets/backend/database-url', 'SELECT current_user')).toContain('backend');
  expect(await queryAs('shell', '/run/secrets/shell/releases-database-url', 'SELECT current_user')).toContain('shell');
  const owned = "SELECT count(*) FROM pg_class WHERE relowner IN ('backend'::regrole, 'shell'::regrole)";
  expect(await stack.query(owned)).toBe('0');
});

test('both servers name their version and commit', async () => {
  const named = { version: stack.version, revision: 'abcdef0' };
  expect(await (await fetch(`${process.env.SITE_ADDRESS}/readyz`)).json()).toMatchObject(named);
  const ready = `fetch('http://127.0.0.1:3000/readyz').then((response) => response.text()).then(console.log)`;
  expect(JSON.parse(await stack.exec('backend', 'node', '--eval', ready))).toMatchObject(named);
});

test('lines of JSON are found in the logs of several parts as documented', async () => {
  const logs = await stack.compose('logs', 'shell', 'backend', 'edge', 'postgres');
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
