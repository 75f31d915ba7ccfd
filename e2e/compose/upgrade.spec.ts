import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { docker } from '@daybook/testing/compose';
import { PlainLoad } from '@daybook/testing/plain-load';
import { findFreePort } from '@daybook/testing/ports';
import { root } from '@daybook/testing/workspaces';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

const former = `${stack.version}-former`;

/** The failed requests that the upgrade of a part may cause; of others, none. */
const interruptions: Readonly<Record<string, RegExp>> = {
  backend: /^\/api\/waitlist: 503$/,
  shell: /^\/api\/waitlist: 503$/,
  edge: /./,
};

const versionOf = (part: string) => `${part.toUpperCase().replaceAll('-', '_')}_VERSION`;

/** Builds the images of the commit before; returns false in a clone without it. */
async function buildFormer(): Promise<boolean> {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 });
  let archive: Buffer;
  try {
    archive = git('archive', 'HEAD~1');
  } catch {
    return false;
  }
  const { path: folder, remove } = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-former-'));
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  // As the other sources of the run: permissions are part of the key of the build cache.
  stack.makePrivate(folder);
  stack.changeSettings({ VERSION: former, REVISION: 'abcdef0', POSTGRES_IMAGE: stack.postgresImage }, folder);
  await stack.composeIn(folder, 'build', ...stack.parts);
  remove();
  return true;
}

/** Starts an image registry with both versions of each part, and removes them from this machine. */
async function startRegistry(started: AsyncDisposableStack): Promise<string> {
  const [container, port] = [`${stack.project}-registry`, await findFreePort()];
  const registry = `127.0.0.1:${port}/daybook`;
  await docker('run', '--detach', '--name', container, '--publish', `127.0.0.1:${port}:5000`, 'registry:2');
  started.defer(async () => void (await docker('rm', '--force', '--volumes', container)));
  const images = stack.parts.flatMap((part) => [`${part}:${former}`, `${part}:${stack.version}`]);
  const tags = images.map((image) => `${registry}/${image}`);
  started.defer(async () => void (await docker('image', 'rm', '--force', ...tags)));
  await Promise.all(
    images.map(async (image) => {
      await docker('tag', `daybook/${image}`, `${registry}/${image}`);
      await docker('push', '--quiet', `${registry}/${image}`);
    }),
  );
  await docker('image', 'rm', ...tags);
  return registry;
}

/**
 * Creates another stack beside the one of the run, in a folder without sources, as an operator's machine has it:
 * docker-compose.yml, deploy/ and settings. Limits are above what the test does.
 */
async function createMachine(started: AsyncDisposableStack, settings: Readonly<Record<string, string>>) {
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-upgrade-')));
  for (const each of ['docker-compose.yml', 'deploy'])
    cpSync(path.join(stack.folder, each), path.join(folder, each), { recursive: true });
  const port = String(await findFreePort());
  const changeSettings = (changes: Readonly<Record<string, string>>) => stack.changeSettings(changes, folder);
  changeSettings({
    ...stack.raisedLimits,
    COMPOSE_PROJECT_NAME: `${stack.project}-upgrade`,
    PORT: port,
    ...settings,
  });
  const compose = (...words: readonly string[]) => stack.composeIn(folder, ...words);
  await compose('down', '--volumes');
  started.defer(async () => void (await compose('down', '--volumes')));
  return {
    site: `http://localhost:${port}`,
    compose,
    changeSettings,
    /** Applies the settings; waits until services are healthy. `up --wait` fails at the first slow check of a busy machine. */
    async up(...services: readonly string[]) {
      await compose('up', '--detach', '--no-build');
      for (const service of services) {
        const health = () => compose('ps', '--format', '{{.Health}}', service);
        await expect.poll(health, { timeout: stack.healthTimeout, message: service }).toBe('healthy');
      }
    },
    /** Returns the image of each running container, sorted. */
    images: async () => (await compose('ps', '--format', '{{.Image}}')).split('\n').sort(),
  };
}

test('a machine without sources runs images of a registry; each part is upgraded alone, and back', async ({
  started,
}) => {
  test.setTimeout(1_200_000);
  test.skip(!(await buildFormer()), 'this clone has no earlier commit');
  const registry = await startRegistry(started);
  const machine = await createMachine(started, { IMAGE_REGISTRY: registry, VERSION: former });
  await machine.compose('pull', '--quiet', ...stack.parts);
  await machine.up(...stack.parts);

  const pages = ['/', '/unsubscribe', '/terms', '/thank-you'];
  const rows: object[] = [];
  for (const part of stack.parts) {
    const others = async () => {
      const lines = await machine.compose('ps', '--format', '{{.Service}} {{.ID}}');
      return lines.split('\n').filter((line) => !line.startsWith(`${part} `));
    };
    const before = await others();
    const load = new PlainLoad(machine.site, pages, { signsUp: true });
    await expect.poll(() => load.signups, { timeout: stack.healthTimeout }).toBeGreaterThan(0);
    const begun = performance.now();
    machine.changeSettings({ [versionOf(part)]: stack.version });
    await machine.compose('pull', '--quiet', part);
    await machine.up(part);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const [requests, signups] = [load.requests, load.signups];
    await expect.poll(() => load.requests - requests, { timeout: stack.healthTimeout }).toBeGreaterThan(20);
    await expect.poll(() => load.signups, { timeout: stack.healthTimeout }).toBeGreaterThan(signups);
    await load.stop();
    const sql = `SELECT count(*) FROM subscriber WHERE email LIKE '${load.addressPrefix}%'`;
    const psql = ['psql', '--username=daybook', '--no-align', '--tuples-only', '-c', sql];
    const stored = Number(await machine.compose('exec', '-T', 'postgres', ...psql));
    const failed = load.failures.length;
    rows.push({ part, acknowledged: load.signups, stored, requests: load.requests, failed, seconds });
    expect.soft(stored, part).toBeGreaterThanOrEqual(load.signups);
    const unexpected = load.failures.filter((failure) => !interruptions[part]?.test(failure));
    expect.soft(unexpected, part).toEqual([]);
    expect.soft(await others(), part).toEqual(before);
  }
  console.log('Upgrades from the commit before:');
  console.table(rows);

  machine.changeSettings(Object.fromEntries(stack.parts.map((part) => [versionOf(part), ''])));
  await machine.up(...stack.parts);
  expect(await machine.images()).toEqual(
    [...stack.parts.map((part) => `${registry}/${part}:${former}`), 'postgres:18'].sort(),
  );
  const load = new PlainLoad(machine.site, pages, { signsUp: true });
  await expect.poll(() => load.signups, { timeout: stack.healthTimeout }).toBeGreaterThan(0);
  await load.stop();
  expect(load.failures).toEqual([]);
});
