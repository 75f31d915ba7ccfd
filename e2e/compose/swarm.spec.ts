import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@daybook/testing/browser-test';
import { docker, startEngineProgram } from '@daybook/testing/compose';
import { remotes } from '@daybook/testing/workspaces';
import { underLoad } from './load.ts';
import * as stack from './stack.ts';

// Serial: all steps share one deployment.
test.describe.configure({ mode: 'serial', timeout: 400_000 });

const name = 'daybook-test-swarm';
const secrets = path.join(stack.folder, 'swarm-secrets');
const longPoll = { timeout: 180_000, intervals: [500] };
const site = process.env.SITE_URL ?? '';

const list = async (label: string, ...words: readonly string[]) =>
  (await docker(...words, '--quiet', '--filter', `label=${label}`)).split('\n').filter(Boolean);
const containersOf = (service: string) => list(`com.docker.swarm.service.name=${name}_${service}`, 'ps');

const run = (...words: readonly string[]) => startEngineProgram(['sh', ...words], stack.folder);
const deploy = () => run('deploy/swarm/deploy.sh', '--name', name, '--resolve-image', 'never');

const query = async (sql: string) =>
  docker('exec', ...(await containersOf('postgres')), 'psql', '--username=daybook', '-Atc', sql);

/** Deploys the folder's current state under load, until a service is updated: no request fails, no signup is lost. */
async function update(service: string): Promise<void> {
  const change = async () => {
    await deploy();
    // Empty until the swarm has detected the change.
    const format = '{{if .UpdateStatus}}{{.UpdateStatus.State}}{{end}}';
    const state = () => docker('service', 'inspect', '--format', format, `${name}_${service}`);
    await expect.poll(state, longPoll).toBe('completed');
  };
  const { failed, failedPages } = await underLoad(`update of ${service}`, change, { url: site, query });
  expect([failed, failedPages]).toEqual([[], []]);
}

test('the compose stack is removed completely', async () => {
  await stack.remove();
  const label = `com.docker.compose.project=${stack.project}`;
  expect(await list(label, 'ps', '--all')).toEqual([]);
  expect(await list(label, 'volume', 'ls')).toEqual([]);
  expect(await list(label, 'network', 'ls')).toEqual([]);
});

test.describe('on a swarm of one node', () => {
  let hasJoined = false;
  test.beforeAll(async () => {
    test.skip((await docker('info', '--format', '{{.Swarm.LocalNodeState}}')) !== 'inactive', 'there is a swarm');
    // They could no longer resolve each other's names: docs/decisions/2026-11-21-compose-stack.md.
    test.skip((await docker('ps', '--quiet')) !== '', 'other containers run on this engine');
    await docker('swarm', 'init', '--advertise-addr', '127.0.0.1');
    hasJoined = true;
    await docker('node', 'update', '--label-add', 'daybook.database=true', await docker('node', 'ls', '--quiet'));
  });

  test.afterAll(async () => {
    if (!hasJoined) return;
    await docker('stack', 'rm', name);
    const ours = `com.docker.stack.namespace=${name}`;
    const left = async () => [...(await list(ours, 'ps', '--all')), ...(await list(ours, 'network', 'ls'))];
    await expect.poll(left, longPoll).toEqual([]);
    for (const volume of await list(ours, 'volume', 'ls')) await docker('volume', 'rm', volume);
    await docker('swarm', 'leave', '--force');
  });

  test('two shells and two backends are deployed', async () => {
    mkdirSync(secrets);
    await run('deploy/secrets.sh', secrets);
    stack.changeSettings({ SECRETS_FOLDER: secrets });
    await deploy();
    const single = ['postgres', 'backup', 'edge', ...remotes].map((part) => `${part} 1/1`);
    const services = () => docker('stack', 'services', '--format', '{{.Name}} {{.Replicas}}', name);
    for (const service of ['shell 2/2', 'backend 2/2', ...single])
      await expect.poll(services, longPoll).toContain(`${name}_${service}`);
    const status = (file: string) => fetch(site + file).then((response) => response.status, String);
    for (const file of ['/readyz', '/api/docs/openapi.json']) await expect.poll(() => status(file), longPoll).toBe(200);
  });

  test('an update of mf-privacy under load fails no request and replaces nothing else', async () => {
    const others = () => Promise.all(['shell', 'backend', 'edge', 'postgres', 'mf-legal'].map(containersOf));
    const index = async () => (await fetch(`${site}/registry.json`)).text();
    const before = { others: await others(), index: await index() };
    stack.changeSource('mf-privacy/src/pages/unsubscribe.tsx', "heading: '", "heading: 'Here: ");
    stack.changeSettings({ MF_PRIVACY_VERSION: `${stack.version}-next` });
    await stack.compose('build', 'mf-privacy');
    await update('mf-privacy');
    await expect.poll(index, longPoll).not.toBe(before.index);
    expect(await others()).toEqual(before.others);
  });

  test('a changed secret replaces the backends under load without a failed request', async () => {
    writeFileSync(path.join(secrets, 'cookie-secret'), randomBytes(32).toString('hex'));
    await update('backend');
  });
});
