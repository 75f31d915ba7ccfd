import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@daybook/testing/browser-test';
import { findFreePort } from '@daybook/testing/ports';
import { root } from '@daybook/testing/workspaces';
import { underLoad } from './load.ts';
import * as stack from './stack.ts';

// Serial: a stack of its own, on a machine without sources, goes to this commit and back.
test.describe.configure({ mode: 'serial', timeout: 900_000 });

const started = new AsyncDisposableStack();
const makeFolder = (name: string) => started.use(mkdtempDisposableSync(path.join(tmpdir(), `daybook-${name}-`))).path;
let machine = '';
let site = { url: '', query: stack.query };
let former = { folder: stack.folder, version: stack.version };

const compose = (...words: readonly string[]) => stack.composeIn(machine, ...words);
const psql = ['exec', '-T', 'postgres', 'psql', '--username=daybook', '--no-align', '--tuples-only', '-c'];
const containers = async (...services: readonly string[]) =>
  (await compose('ps', '--all', '--quiet', ...services)).split('\n');
const secret = (name: string) => path.join(machine, 'secrets', name);
const newSecret = () => randomBytes(32).toString('hex');

/** Builds the images of the former commit, in a clone that has one with this stack. */
async function buildFormer(): Promise<void> {
  const folder = makeFolder('former');
  try {
    const options: ExecFileSyncOptions = { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 };
    execFileSync('tar', ['-x', '-C', folder], {
      input: execFileSync('git', ['archive', process.env.UPGRADE_FROM || 'HEAD~1'], options),
    });
  } catch (error) {
    if (process.env.UPGRADE_FROM) throw error;
    return;
  }
  if (!readFileSync(path.join(folder, 'docker-compose.yml'), 'utf8').includes('backend-a:')) return;
  former = { folder, version: `${stack.version}-former` };
  // As the other sources of the run: permissions are part of the key of the build cache.
  stack.makePrivate(folder);
  const { version } = former;
  stack.changeSettings({ VERSION: version, EDGE_VERSION: version, POSTGRES_IMAGE: stack.postgresImage }, folder);
  await stack.composeIn(folder, 'build');
}

function copyFiles(from: string): void {
  for (const each of ['docker-compose.yml', 'deploy'])
    cpSync(path.join(from, each), path.join(machine, each), { recursive: true });
}

test.beforeAll('start the former version', async () => {
  test.setTimeout(600_000);
  await buildFormer();
  machine = makeFolder('machine');
  copyFiles(former.folder);
  // Two stacks that work are too much for a small machine.
  await stack.compose('pause');
  started.defer(async () => void (await stack.compose('unpause')));
  const port = String(await findFreePort());
  site = { url: `http://localhost:${port}`, query: (sql) => compose(...psql, sql) };
  const { version } = former;
  const project = { COMPOSE_PROJECT_NAME: stack.upgradedProject, PORT: port, POSTGRES_IMAGE: stack.postgresImage };
  stack.changeSettings({ ...stack.raisedLimits, ...project, VERSION: version, EDGE_VERSION: version }, machine);
  started.defer(async () => {
    await compose('down', '--volumes');
    await stack.removeSecrets(machine);
  });
  await compose('up', '--detach', '--no-build', '--wait');
});

test.afterAll(() => started.disposeAsync());

/** Upgrades under load: no page fails, and no signup, unless the database's own service has changed. */
async function upgradeTo(version: string, upgrade: () => Promise<unknown>): Promise<void> {
  const database = await containers('postgres');
  const { failed, failedPages } = await underLoad(`upgrade to ${version}`, upgrade, site);
  expect.soft(failedPages).toEqual([]);
  // There is one database: while an upgrade replaces it, signups are told to try again.
  const isKept = String(await containers('postgres')) === String(database);
  expect.soft(failed.filter((error) => isKept || !error.includes('DATABASE_UNAVAILABLE'))).toEqual([]);
  const images = await compose('ps', '--format', '{{.Service}} {{.Image}}', ...stack.parts, 'backend-b', 'shell-b');
  const others = images.split('\n').filter((line) => !line.startsWith('edge') && !line.endsWith(`:${version}`));
  expect.soft(others).toEqual([]);
}

test('wrong settings end an upgrade; corrected, it survives interruptions', async () => {
  const replaced = stack.running.filter((service) => !['postgres', 'edge'].includes(service));
  const before = await containers(...replaced);
  const [twin, token] = [await containers('backend-b'), newSecret()];
  copyFiles(stack.folder);
  await upgradeTo(stack.version, async () => {
    writeFileSync(secret('metrics-token'), 'short');
    await expect(stack.upgrade([], machine)).rejects.toThrow('metrics-token has fewer than 24 characters');
    writeFileSync(secret('metrics-token'), token);
    stack.changeSettings({ VERSION: stack.version, CLIENT_DETAILS_KEPT: 'forever' }, machine);
    await expect(stack.upgrade([], machine)).rejects.toThrow('backend-a');
    expect(await containers('backend-b')).toEqual(twin);
    stack.changeSettings({ CLIENT_DETAILS_KEPT: '', SUPPORT_ADDRESS: 'help@daybook.example' }, machine);
    for (const name of ['shell-password', 'backend-password']) writeFileSync(secret(name), newSecret());
    for (const seconds of [2, 9, 20]) {
      const upgrade = stack.upgrade([], machine);
      await delay(seconds * 1_000);
      upgrade.kill('SIGINT');
      await upgrade.catch(() => undefined);
    }
    await stack.upgrade([], machine);
  });
  const after = await containers(...replaced);
  expect(after).toHaveLength(replaced.length);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
  expect(await compose('exec', '-T', 'shell-b', 'cat', '/run/secrets/metrics-token')).toBe(token);
  expect(await (await fetch(`${site.url}/terms`)).text()).toContain('help@daybook.example');
});

test('the way back works with one of each pair stopped', async () => {
  copyFiles(former.folder);
  stack.changeSettings({ VERSION: former.version }, machine);
  await upgradeTo(former.version, async () => {
    // As if an upgrade had been interrupted while it replaced them; their twins serve.
    await compose('stop', 'backend-b', 'shell-b');
    await stack.upgrade([], machine);
  });
});
