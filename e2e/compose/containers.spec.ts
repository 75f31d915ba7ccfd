import { remotes } from '@daybook/testing/workspaces';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

test('containers have minimal privileges, and only the edge is reachable from outside', async () => {
  for (const service of stack.running) {
    const { Config, HostConfig, NetworkSettings } = await stack.inspect(service);
    expect.soft(HostConfig, service).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], CapAdd: null });
    expect.soft(HostConfig.SecurityOpt, service).toContain('no-new-privileges:true');
    expect.soft(HostConfig.Memory, service).toBeGreaterThan(0);
    expect.soft(HostConfig.PidsLimit, service).toBeGreaterThan(0);
    expect.soft(HostConfig.LogConfig.Config, service).toHaveProperty('max-size');
    expect.soft(Config.User, service).toMatch(/^(?:node|nginx|postgres)$/);
    const published = Object.values(NetworkSettings.Ports).flat().filter(Boolean);
    expect.soft(published, service).toHaveLength(service === 'edge' ? 1 : 0);
    if (service === 'postgres') continue;
    expect.soft(Config.Labels, service).toMatchObject({
      'org.opencontainers.image.title': service,
      'org.opencontainers.image.version': stack.version,
      // The edge's image stays the same until its content changes.
      ...(service === 'edge' ? {} : { 'org.opencontainers.image.revision': 'abcdef0' }),
    });
  }
});

test('the heap limit of each server leaves headroom in its container', async () => {
  for (const service of ['shell', 'backend']) {
    const { HostConfig } = await stack.inspect(service);
    const heap = await stack.exec(service, 'node', '--print', 'v8.getHeapStatistics().heap_size_limit');
    expect.soft(Number(heap) / HostConfig.Memory, service).toBeLessThan(0.6);
  }
});

test('the counters of the edge are reachable inside of the stack only', async () => {
  expect(await stack.exec('edge', 'curl', '--silent', 'http://127.0.0.1:8081/status')).toContain('Active connections');
  expect((await fetch(`${process.env.SITE_ADDRESS}/status`)).status).toBe(404);
});

test('only backend and shell can reach the database, and only the edge the backend', async () => {
  const reach = (service: string, script: string) =>
    stack.exec(service, 'node', '--eval', script).then(
      () => 'reached',
      () => 'not reached',
    );
  const connect = (port: number, host: string) =>
    `require('node:net').connect(${port}, '${host}').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`;
  for (const service of ['backend', 'shell'])
    expect(await reach(service, connect(5432, 'postgres')), service).toBe('reached');
  expect(await reach('shell', connect(3000, 'backend'))).toBe('not reached');
  const curl = ['curl', '--silent', '--output', '/dev/null', '--max-time', '5'];
  await stack.exec('edge', ...curl, 'http://backend:3000/healthz');
  await expect(stack.exec('edge', ...curl, 'http://postgres:5432')).rejects.toThrow();
  for (const remote of remotes) {
    const { NetworkSettings } = await stack.inspect(remote);
    expect(Object.keys(NetworkSettings.Networks)).toEqual([expect.stringMatching(/_remotes$/)]);
  }
});

test('the releases command works in the shell container', async () => {
  const list = await stack.exec('shell', 'releases', 'list');
  for (const remote of remotes) expect(list).toMatch(RegExp(`${remote} +1\\.0\\.0-[0-9a-f]{8}`));
});

test('without the file trusted-keys, the shell server names all remotes as unsigned at start', async () => {
  expect(await stack.compose('logs', 'shell')).toContain(`TRUSTED_KEYS is none for ${remotes.join(', ')}: `);
});

test('the operator command works in the backend container, and records who exports', async () => {
  expect(await stack.exec('backend', 'operator', 'stats')).toContain('Subscribers');
  await expect(stack.exec('backend', 'operator', 'subscribers', 'export')).rejects.toThrow('Name yourself');
  await stack.exec('backend', 'operator', 'subscribers', 'export', '--by', 'Ann');
  expect(await stack.exec('backend', 'operator', 'audit-log', '--limit', '1')).toMatch(/Ann +subscribers export/);
});

/** Runs a statement with the address in a service's file, as the service does. */
const queryAs = async (service: string, file: string, statement: string) =>
  stack.exec('postgres', 'psql', await stack.exec(service, 'cat', file), '-c', statement);

test('the backend logs in as a role that owns nothing, and gets no token of an operator', async () => {
  const files = await stack.exec('backend', 'find', '/run/secrets', '-type', 'f');
  expect(files.split('\n').sort()).toEqual(
    ['backend/cookie-secret', 'backend/database-url', 'backend/webhook-secret', 'metrics/metrics-token'].map(
      (file) => `/run/secrets/${file}`,
    ),
  );
  const asBackend = (statement: string) => queryAs('backend', '/run/secrets/backend/database-url', statement);
  expect(await asBackend('SELECT current_user')).toContain('backend');
  expect(await stack.query(`SELECT count(*) FROM pg_class WHERE relowner = 'backend'::regrole`)).toBe('0');
  for (const statement of ['DROP TABLE subscriber', 'CREATE ROLE other', 'DELETE FROM audit_log'])
    await expect(asBackend(statement)).rejects.toThrow(/permission denied|must be owner|append-only/);
  await expect(asBackend('SELECT * FROM releases.change')).rejects.toThrow('permission denied for schema releases');
});

test('the shell logs in to the database as a role that reads releases and no subscribers', async () => {
  const asShell = (statement: string) => queryAs('shell', '/run/secrets/shell/releases-database-url', statement);
  expect(await asShell('SELECT current_user, count(*) FROM releases.change')).toContain('shell');
  for (const statement of ['SELECT * FROM subscriber', 'DELETE FROM releases.change', 'CREATE TABLE x (id integer)'])
    await expect(asShell(statement)).rejects.toThrow('permission denied');
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
