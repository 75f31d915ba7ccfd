import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RemoteIndex } from '@daybook/contract/release';
import { remotes } from '@daybook/runner/workspaces';
import { docker, startEngineProgram } from '@daybook/testing/compose';
import { PlainLoad } from '@daybook/testing/plain-load';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

// Serial: all steps share one deployment.
test.describe.configure({ mode: 'serial', timeout: 400_000 });

/** Separate from other stacks on this machine. */
const name = 'daybook-test-swarm';
const next = `${stack.version}-next`;
const longPoll = { timeout: 180_000, intervals: [500] };
const site = process.env.SITE_URL ?? '';

const lines = (text: string) => text.split('\n').filter(Boolean);
const ofStack = ['--quiet', '--filter', `label=com.docker.stack.namespace=${name}`];

/** Returns the ids of the running containers of services. */
async function containers(...services: readonly string[]): Promise<readonly string[]> {
  const idsOf = (service: string) =>
    docker('ps', '--quiet', '--filter', `label=com.docker.swarm.service.name=${name}_${service}`);
  return (await Promise.all(services.map(idsOf))).flatMap(lines).sort();
}

/** Deploys the folder's current state; returns before the tasks have changed. No registry has these images. */
const deploy = () =>
  startEngineProgram(['sh', 'deploy/swarm/deploy.sh', '--name', name, '--resolve-image', 'never'], stack.folder);

/** Waits until an update of a service is complete; fails if the swarm rolls it back. */
function expectUpdated(service: string): Promise<void> {
  // Empty until the swarm has detected the change.
  const format = '{{if .UpdateStatus}}{{.UpdateStatus.State}}{{end}}';
  const state = () => docker('service', 'inspect', '--format', format, `${name}_${service}`);
  return expect.poll(state, longPoll).toBe('completed');
}

/** Performs a rolling update of a service, without the 15 s in which the swarm watches the last new task. */
async function roll(service: string, ...how: readonly string[]): Promise<void> {
  await docker('service', 'update', ...how, '--update-monitor', '1s', '--quiet', '--detach', `${name}_${service}`);
  await expectUpdated(service);
}

/** Builds the next version of a part from its current sources. */
async function buildNext(part: string): Promise<void> {
  stack.changeSettings({ VERSION: next });
  await stack.compose('build', part);
  stack.changeSettings({ VERSION: stack.version });
}

/** Returns the active version of mf-privacy. */
async function servedVersion(): Promise<string | undefined> {
  const response = await fetch(`${site}/registry.json`);
  return ((await response.json()) as RemoteIndex).remotes.find((remote) => remote.name === 'mf-privacy')?.version;
}

/** Performs a change under load; expects no failed request and no lost signup. */
async function underLoad(change: () => Promise<unknown>): Promise<void> {
  const pages = ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you'];
  const visitors = new PlainLoad(site, pages, { signsUp: true });
  await change().finally(() => visitors.stop());
  console.log(`${visitors.requests} requests, ${visitors.signups} signups, ${visitors.failures.length} failed`);
  expect(visitors.failures).toEqual([]);
  expect(visitors.requests).toBeGreaterThan(100);
  expect(visitors.signups).toBeGreaterThan(0);
  const sql = `SELECT count(*) FROM subscriber WHERE email LIKE '${visitors.emailPrefix}%'`;
  const psql = ['psql', '--username=daybook', '--no-align', '--tuples-only', '-c', sql];
  const [postgres = ''] = await containers('postgres');
  expect(await docker('exec', postgres, ...psql)).toBe(String(visitors.signups));
}

/** Writes secrets as described in deploy/swarm/README.md; returns their folder. */
function writeSecrets(): string {
  const folder = path.join(stack.folder, 'swarm-secrets');
  mkdirSync(folder, { mode: 0o700 });
  const secrets = {
    'postgres-password': randomBytes(32).toString('hex'),
    'cookie-secret': randomBytes(32).toString('hex'),
    'audit-key': randomBytes(32).toString('hex'),
    'operator-token': randomBytes(32).toString('hex'),
    'backup-passphrase': randomBytes(32).toString('hex'),
    'webhook-secret': `whsec_${randomBytes(32).toString('base64')}`,
  };
  for (const [file, text] of Object.entries(secrets)) writeFileSync(path.join(folder, file), text, { mode: 0o600 });
  return folder;
}

test('the compose stack is removed completely', async () => {
  const unremovable = await stack.remove();
  const filter = ['--filter', `label=com.docker.compose.project=${stack.project}`];
  expect(await docker('ps', '--all', '--quiet', ...filter)).toBe('');
  expect(await docker('volume', 'ls', '--quiet', ...filter)).toBe('');
  expect(lines(await docker('network', 'ls', '--format', '{{.Name}}', ...filter))).toEqual(unremovable);
});

test.describe('on a swarm with one node', () => {
  let hasJoined = false;
  test.beforeAll(async () => {
    test.skip(
      (await docker('info', '--format', '{{.Swarm.LocalNodeState}}')) !== 'inactive',
      'this machine is part of a swarm',
    );
    // They could no longer resolve each other's names: docs/decisions/2026-11-22-multiple-machines.md.
    test.skip((await docker('ps', '--quiet')) !== '', 'other containers run on this engine');
    await docker('swarm', 'init', '--advertise-addr', '127.0.0.1');
    hasJoined = true;
  });

  test.afterAll(async () => {
    if (!hasJoined) return;
    await docker('stack', 'rm', name);
    const left = async () => (await docker('ps', '--all', ...ofStack)) + (await docker('network', 'ls', ...ofStack));
    await expect.poll(left, longPoll).toBe('');
    for (const volume of lines(await docker('volume', 'ls', ...ofStack))) await docker('volume', 'rm', volume);
    await docker('swarm', 'leave', '--force');
  });

  test('two shells and two backends are deployed', async () => {
    const node = await docker('info', '--format', '{{.Swarm.NodeID}}');
    await docker('node', 'update', '--label-add', 'daybook.database=true', node);
    stack.changeSettings({ SECRETS_FOLDER: writeSecrets(), ...stack.raisedLimits });
    await deploy();
    const services = [
      'shell 2/2',
      'backend 2/2',
      ...['postgres', 'backup', 'edge', ...remotes].map((part) => `${part} 1/1`),
    ];
    const replicas = async () => lines(await docker('stack', 'services', '--format', '{{.Name}} {{.Replicas}}', name));
    const expected = services.map((service) => `${name}_${service}`);
    await expect.poll(replicas, longPoll).toEqual(expect.arrayContaining(expected));
    const readiness = async () => {
      const response = await fetch(`${site}/readyz`).catch(() => undefined);
      const { remotesWithoutRelease } = response?.ok ? await response.json() : {};
      const api = await fetch(`${site}/api/docs/openapi.json`).catch(() => undefined);
      return { remotesWithoutRelease, hasBackend: api?.ok };
    };
    await expect.poll(readiness, longPoll).toEqual({ remotesWithoutRelease: [], hasBackend: true });
  });

  test('a rolling update of mf-privacy under load fails no request', async () => {
    const others = ['shell', 'backend', 'edge', 'postgres', ...remotes].filter((part) => part !== 'mf-privacy');
    const [before, version] = [await containers(...others), await servedVersion()];
    stack.changeSource('mf-privacy/src/pages/unsubscribe.tsx', "heading: '", "heading: 'Here: ");
    await buildNext('mf-privacy');
    stack.changeSettings({ MF_PRIVACY_VERSION: next });
    await underLoad(async () => {
      await deploy();
      await expect.poll(servedVersion, longPoll).not.toBe(version);
      await expectUpdated('mf-privacy');
    });
    expect(await containers(...others)).toEqual(before);
  });

  test('a rolling update of the backend under load fails no request and loses no signup', () =>
    underLoad(() => roll('backend', '--force')));

  test('open pages can load their files after a rolling update of the shell under load', async () => {
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
