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

// Serial: all steps share one deployment.
test.describe.configure({ mode: 'serial', timeout: 900_000 });

const replaced = stack.running.filter((service) => !['postgres', 'edge'].includes(service));
const containers = (services: readonly string[]) => Promise.all(services.map(stack.containerId));
const secret = (name: string) => path.join(stack.folder, 'secrets', name);
const newSecret = () => randomBytes(32).toString('hex');
const readToken = () => stack.exec('shell-b', 'cat', '/run/secrets/metrics-token');

test('an upgrade to what does not start ends there; corrected, it applies secrets and settings', async () => {
  const [before, kept] = [await containers(replaced), await containers(['postgres', 'edge'])];
  const [twin, token] = [await stack.containerId('backend-b'), newSecret()];
  const { failed, failedPages } = await underLoad('upgrade to wrong settings, then to right ones', async () => {
    writeFileSync(secret('metrics-token'), 'short');
    await expect(stack.upgrade()).rejects.toThrow('metrics-token has fewer than 24 characters');
    writeFileSync(secret('metrics-token'), token);
    stack.changeSettings({ CLIENT_DETAILS_KEPT: 'forever' });
    await expect(stack.upgrade()).rejects.toThrow('backend-a');
    expect(await stack.containerId('backend-b')).toBe(twin);
    stack.changeSettings({ CLIENT_DETAILS_KEPT: '', SUPPORT_ADDRESS: 'help@daybook.example' });
    for (const name of ['shell-password', 'backend-password']) writeFileSync(secret(name), newSecret());
    await stack.upgrade();
  });
  expect([failed, failedPages]).toEqual([[], []]);
  const after = await containers(replaced);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
  expect(await containers(['postgres', 'edge'])).toEqual(kept);
  expect(await readToken()).toBe(token);
  expect(await (await fetch(`${process.env.SITE_URL}/terms`)).text()).toContain('help@daybook.example');
});

test('an interrupted upgrade is completed by another one', async () => {
  const { failed, failedPages } = await underLoad('interrupted upgrades', async () => {
    // As if an upgrade had been interrupted while it replaced them; their twins serve.
    await stack.compose('stop', 'backend-b', 'shell-b');
    for (const seconds of [2, 9, 20]) {
      const upgrade = stack.upgrade();
      await delay(seconds * 1_000);
      upgrade.kill('SIGINT');
      await upgrade.catch(() => undefined);
    }
    await stack.upgrade();
  });
  expect([failed, failedPages]).toEqual([[], []]);
  const ofServices = await stack.compose('ps', '--all', '--format', '{{.Service}}', ...stack.running);
  expect(ofServices.split('\n').sort()).toEqual([...stack.running].sort());
  await stack.untilAllHealthy();
});

const former = `${stack.version}-former`;

/** Builds the images of the former commit; returns the folder with its sources, or `undefined` in a clone without it. */
async function buildFormer(started: AsyncDisposableStack): Promise<string | undefined> {
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-former-')));
  try {
    const options: ExecFileSyncOptions = { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 };
    execFileSync('tar', ['-x', '-C', folder], {
      input: execFileSync('git', ['archive', process.env.UPGRADE_FROM || 'HEAD~1'], options),
    });
  } catch (error) {
    if (process.env.UPGRADE_FROM) throw error;
    return undefined;
  }
  if (!readFileSync(path.join(folder, 'docker-compose.yml'), 'utf8').includes('backend-a:')) return undefined;
  // As the other sources of the run: permissions are part of the key of the build cache.
  stack.makePrivate(folder);
  stack.changeSettings({ VERSION: former, EDGE_VERSION: former, POSTGRES_IMAGE: stack.postgresImage }, folder);
  await stack.composeIn(folder, 'build');
  return folder;
}

function copyFiles(from: string, to: string): void {
  for (const each of ['docker-compose.yml', 'deploy'])
    cpSync(path.join(from, each), path.join(to, each), { recursive: true });
}

test('a machine without sources is upgraded without a failed request, and back', async ({ started }) => {
  const sources = await buildFormer(started);
  if (!sources) return test.skip(true, 'this clone has no earlier commit with this stack');
  const { path: machine } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-machine-')));
  const compose = (...words: readonly string[]) => stack.composeIn(machine, ...words);
  copyFiles(sources, machine);
  // Two stacks that work are too much for a small machine.
  await stack.compose('pause');
  started.defer(async () => void (await stack.compose('unpause')));
  const port = String(await findFreePort());
  const project = { COMPOSE_PROJECT_NAME: stack.upgradedProject, PORT: port, POSTGRES_IMAGE: stack.postgresImage };
  stack.changeSettings({ ...stack.raisedLimits, ...project, VERSION: former, EDGE_VERSION: former }, machine);
  started.defer(async () => {
    await compose('down', '--volumes');
    await stack.removeSecrets(machine);
  });
  await compose('up', '--detach', '--no-build', '--wait');
  const query = (sql: string) =>
    compose('exec', '-T', 'postgres', 'psql', '--username=daybook', '--no-align', '--tuples-only', '-c', sql);
  const versions = async () => [...new Set((await compose('ps', '--format', '{{.Image}}')).match(/test-compose.*$/gm))];
  for (const [from, version] of [
    [stack.folder, stack.version],
    [sources, former],
  ] as const) {
    copyFiles(from, machine);
    stack.changeSettings({ VERSION: version }, machine);
    const site = { url: `http://localhost:${port}`, query };
    const database = await compose('ps', '--quiet', 'postgres');
    const { failed, failedPages } = await underLoad(`upgrade to ${version}`, () => stack.upgrade([], machine), site);
    expect.soft(failedPages).toEqual([]);
    // There is one database: an upgrade that changes its settings replaces it, and signups are told to try again.
    const isKept = (await compose('ps', '--quiet', 'postgres')) === database;
    expect.soft(failed.filter((error) => isKept || !error.includes('DATABASE_UNAVAILABLE'))).toEqual([]);
    expect.soft((await versions()).sort()).toEqual([...new Set([former, version])].sort());
  }
});
