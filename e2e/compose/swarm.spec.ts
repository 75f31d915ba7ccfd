import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Registry } from '@daybook/contract';
import { docker, startEngineProgram } from '@daybook/testing/compose';
import { PlainLoad } from '@daybook/testing/plain-load';
import { remotes } from '@daybook/testing/workspaces';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

// One step after the other, on one deployment.
test.describe.configure({ mode: 'serial', timeout: 400_000 });

/** Apart from every stack that runs here for somebody. */
const name = 'daybook-test-swarm';
const next = `${stack.version}-next`;
const patient = { timeout: 180_000, intervals: [500] };
const site = process.env.SITE_ADDRESS ?? '';

const lines = (text: string) => text.split('\n').filter(Boolean);
const ofStack = ['--quiet', '--filter', `label=com.docker.stack.namespace=${name}`];

/** Ids of the containers that run for services. */
async function containers(...services: readonly string[]): Promise<readonly string[]> {
  const idsOf = (service: string) =>
    docker('ps', '--quiet', '--filter', `label=com.docker.swarm.service.name=${name}_${service}`);
  return (await Promise.all(services.map(idsOf))).flatMap(lines).sort();
}

/** Deploys what the folder says now; ends before the tasks have changed. No registry has these images. */
const deploy = () =>
  startEngineProgram(['sh', 'deploy/swarm/deploy.sh', '--name', name, '--resolve-image', 'never'], stack.folder);

/** Waits until a change of a service is done; the swarm must not roll it back. */
function expectUpdated(service: string): Promise<void> {
  // Empty for a moment, until the swarm has noticed the change.
  const format = '{{if .UpdateStatus}}{{.UpdateStatus.State}}{{end}}';
  const state = () => docker('service', 'inspect', '--format', format, `${name}_${service}`);
  return expect.poll(state, patient).toBe('completed');
}

/** Replaces the tasks of a service one after the other. */
async function roll(service: string, ...how: readonly string[]): Promise<void> {
  await docker('service', 'update', ...how, '--quiet', '--detach', `${name}_${service}`);
  await expectUpdated(service);
}

/** Builds the next version of a part from its changed sources. */
async function buildNext(part: string): Promise<void> {
  stack.changeSettings({ VERSION: next });
  await stack.compose('build', part);
  stack.changeSettings({ VERSION: stack.version });
}

/** The version of mf-privacy that visitors get. */
async function servedVersion(): Promise<string | undefined> {
  const response = await fetch(`${site}/registry.json`);
  return ((await response.json()) as Registry).remotes.find((remote) => remote.name === 'mf-privacy')?.version;
}

/** Changes something while visitors are there: none of their requests fails, and none of their signups is lost. */
async function underLoad(change: () => Promise<unknown>): Promise<void> {
  const pages = ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you'];
  const visitors = new PlainLoad(site, pages, { signsUp: true });
  await change().finally(() => visitors.stop());
  expect(visitors.failures).toEqual([]);
  expect(visitors.requests).toBeGreaterThan(100);
  expect(visitors.signups).toBeGreaterThan(0);
  const sql = `SELECT count(*) FROM subscriber WHERE email LIKE '${visitors.addressPrefix}%'`;
  const psql = ['psql', '--username=daybook', '--no-align', '--tuples-only', '-c', sql];
  const [postgres = ''] = await containers('postgres');
  expect(await docker('exec', postgres, ...psql)).toBe(String(visitors.signups));
}

/** Writes secrets as deploy/swarm/README.md says; returns their folder. */
function writeSecrets(): string {
  const folder = path.join(stack.folder, 'swarm-secrets');
  mkdirSync(folder, { mode: 0o700 });
  const password = randomBytes(32).toString('hex');
  const secrets = {
    'postgres-password': password,
    'database-url': `postgres://daybook:${password}@postgres:5432/daybook`,
    'cookie-secret': randomBytes(32).toString('hex'),
    'operator-token': randomBytes(32).toString('hex'),
    'operator-tokens': '\n',
    'webhook-secret': `whsec_${randomBytes(32).toString('base64')}`,
  };
  for (const [file, text] of Object.entries(secrets)) writeFileSync(path.join(folder, file), text, { mode: 0o600 });
  return folder;
}

test('the compose stack is taken down, and nothing is left', async () => {
  await stack.compose('down', '--volumes');
  const filter = ['--quiet', '--filter', `label=com.docker.compose.project=${stack.project}`];
  expect(await docker('ps', '--all', ...filter)).toBe('');
  expect(await docker('volume', 'ls', ...filter)).toBe('');
  expect(await docker('network', 'ls', ...filter)).toBe('');
});

test.describe('on a swarm of this machine alone', () => {
  let hasJoined = false;
  test.beforeAll(async () => {
    test.skip((await docker('info', '--format', '{{.Swarm.LocalNodeState}}')) !== 'inactive', 'it is in a swarm');
    // They would no longer find each other by name: docs/decisions/2026-11-22-multiple-machines.md.
    test.skip((await docker('ps', '--quiet')) !== '', 'other containers run on this engine');
    await docker('swarm', 'init', '--advertise-addr', '127.0.0.1');
    hasJoined = true;
  });

  test.afterAll(async () => {
    if (!hasJoined) return;
    await docker('stack', 'rm', name);
    const left = async () => (await docker('ps', '--all', ...ofStack)) + (await docker('network', 'ls', ...ofStack));
    await expect.poll(left, patient).toBe('');
    for (const volume of lines(await docker('volume', 'ls', ...ofStack))) await docker('volume', 'rm', volume);
    await docker('swarm', 'leave', '--force');
  });

  test('two shells and two backends are deployed', async () => {
    const node = await docker('info', '--format', '{{.Swarm.NodeID}}');
    await docker('node', 'update', '--label-add', 'daybook.database=true', node);
    const limits = ['LIMIT_NETWORK_SIGNUPS', 'LIMIT_NETWORK_WRITES', 'LIMIT_GLOBAL_SIGNUPS'];
    const raised = Object.fromEntries(limits.map((limit) => [limit, '1000000']));
    stack.changeSettings({ SECRETS_FOLDER: writeSecrets(), ...raised });
    await deploy();
    const services = ['shell 2/2', 'backend 2/2', ...['postgres', 'entry', ...remotes].map((part) => `${part} 1/1`)];
    const replicas = async () => lines(await docker('stack', 'services', '--format', '{{.Name}} {{.Replicas}}', name));
    const expected = services.map((service) => `${name}_${service}`);
    await expect.poll(replicas, patient).toEqual(expect.arrayContaining(expected));
    const readiness = async () => {
      const response = await fetch(`${site}/readyz`).catch(() => undefined);
      const { remotesWithoutRelease, backends } = response?.ok ? await response.json() : {};
      return { remotesWithoutRelease, hasBackend: backends?.ready > 0 };
    };
    await expect.poll(readiness, patient).toEqual({ remotesWithoutRelease: [], hasBackend: true });
  });

  test('mf-privacy is rolled alone under load, without a failed request', async () => {
    const others = ['shell', 'backend', 'entry', 'postgres', ...remotes].filter((part) => part !== 'mf-privacy');
    const [before, version] = [await containers(...others), await servedVersion()];
    // The test of the release on the compose stack has left a heading of its own.
    stack.changeSource(
      'mf-privacy/src/choices/unsubscribe.tsx',
      "heading: 'Unsubscribe",
      "heading: 'Here you unsubscribe",
    );
    await buildNext('mf-privacy');
    stack.changeSettings({ MF_PRIVACY_VERSION: next });
    await underLoad(async () => {
      await deploy();
      await expect.poll(servedVersion, patient).not.toBe(version);
      await expectUpdated('mf-privacy');
    });
    expect(await containers(...others)).toEqual(before);
  });

  test('backend is rolled under load, without a failed request or a lost signup', () =>
    underLoad(() => roll('backend', '--force')));

  test('shell is rolled to another version under load, and open pages find their files', async () => {
    stack.changeSource('shell/src/pages/own-pages.tsx', 'Loading the page', 'The page is being loaded');
    await buildNext('shell');
    const files = async () => new Set((await (await fetch(site)).text()).match(/\/assets\/[^"]+\.(?:js|css)/g));
    const before = await files();
    await underLoad(() => roll('shell', '--image', `daybook/shell:${next}`, '--no-resolve-image'));
    const after = await files();
    expect(after).not.toEqual(before);
    for (const file of before.union(after)) expect((await fetch(site + file)).status, file).toBe(200);
  });
});
