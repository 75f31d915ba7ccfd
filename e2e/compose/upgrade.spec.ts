import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@daybook/runner/ports';
import { root } from '@daybook/runner/workspaces';
import { docker } from '@daybook/testing/compose';
import { PlainLoad } from '@daybook/testing/plain-load';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

const former = `${stack.version}-former`;

/** The commit that is upgraded from: the last release in CI, otherwise the commit before. */
const formerCommit = process.env.UPGRADE_FROM || 'HEAD~1';

/** A version's services with an image of their own, which differ between versions that have other remotes. */
interface Sources {
  readonly folder: string;
  readonly parts: readonly string[];
}

/** Reads from the compose file in a folder what is built from it, without the profiles. */
async function partsOf(folder: string): Promise<readonly string[]> {
  const { services } = JSON.parse(await stack.composeIn(folder, 'config', '--format', 'json'));
  return Object.keys(services).filter((name) => services[name].build);
}

/** Builds the images of the former commit; returns its sources, or `undefined` in a clone without it. */
async function buildFormer(started: AsyncDisposableStack): Promise<Sources | undefined> {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 });
  let archive: Buffer;
  try {
    archive = git('archive', formerCommit);
  } catch (error) {
    if (process.env.UPGRADE_FROM) throw error;
    return undefined;
  }
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-former-')));
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  // As the other sources of the run: permissions are part of the key of the build cache.
  stack.makePrivate(folder);
  stack.changeSettings(
    { VERSION: former, EDGE_VERSION: former, REVISION: 'abcdef0', POSTGRES_IMAGE: stack.postgresImage },
    folder,
  );
  const parts = await partsOf(folder);
  await stack.composeIn(folder, 'build', ...parts);
  return { folder, parts };
}

/** Copies what an operator's machine has of the repository. */
function copyFiles(from: string, to: string): void {
  for (const each of ['docker-compose.yml', 'deploy'])
    cpSync(path.join(from, each), path.join(to, each), { recursive: true });
}

/** Names both versions of each part as images of a registry, as after `docker compose pull`; returns its name. */
async function tagImages(started: AsyncDisposableStack, formerParts: readonly string[]): Promise<string> {
  const imageRegistry = 'registry.test/daybook';
  const images = [
    ...formerParts.map((part) => `${part}:${former}`),
    ...stack.parts.map((part) => `${part}:${stack.version}`),
  ];
  started.defer(async () => void (await docker('image', 'rm', ...images.map((image) => `${imageRegistry}/${image}`))));
  for (const image of images) await docker('tag', `daybook/${image}`, `${imageRegistry}/${image}`);
  return imageRegistry;
}

/**
 * Creates another stack beside the one of the run, in a folder without sources, as an operator's machine has it, with the
 * files of the former commit. Limits are above what the test does.
 */
async function createMachine(
  started: AsyncDisposableStack,
  sources: string,
  settings: Readonly<Record<string, string>>,
) {
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-upgrade-')));
  copyFiles(sources, folder);
  const port = String(await findFreePort());
  const project = { COMPOSE_PROJECT_NAME: `${stack.project}-upgrade`, PORT: port };
  stack.changeSettings({ ...stack.raisedLimits, ...project, ...settings }, folder);
  const compose = (...words: readonly string[]) => stack.composeIn(folder, ...words);
  await compose('down', '--volumes');
  started.defer(async () => void (await compose('down', '--volumes')));
  return {
    site: `http://localhost:${port}`,
    compose,
    /** Applies the settings; waits until services are healthy. `up --wait` fails at the first slow check of a busy machine. */
    async up(...services: readonly string[]) {
      await compose('up', '--detach', '--no-build');
      for (const service of services) {
        const health = async () => [...new Set((await compose('ps', '--format', '{{.Health}}', service)).split('\n'))];
        await expect.poll(health, { timeout: stack.healthTimeout, message: service }).toEqual(['healthy']);
      }
    },
    folder,
    /** Returns the image of each running container, sorted. */
    images: async () => [...new Set((await compose('ps', '--format', '{{.Image}}')).split('\n'))].sort(),
  };
}

test('a machine without sources is upgraded as a whole without a failed request, and back; the edge alone', async ({
  started,
}) => {
  test.setTimeout(900_000);
  const sources = await buildFormer(started);
  if (!sources) return test.skip(true, 'this clone has no earlier commit');
  const imageRegistry = await tagImages(started, sources.parts);
  const machine = await createMachine(started, sources.folder, {
    IMAGE_REGISTRY: imageRegistry,
    VERSION: former,
    EDGE_VERSION: former,
  });
  await machine.up(...sources.parts);
  const imagesOf = (version: string, edgeVersion: string) =>
    [
      ...(version === former ? sources : stack).parts.map(
        (part) => `${imageRegistry}/${part}:${part === 'edge' ? edgeVersion : version}`,
      ),
      'postgres:18',
    ].sort();

  /** Performs a change under load; returns the failed requests. Acknowledged signups must be stored. */
  async function failuresDuring(what: string, change: () => Promise<unknown>): Promise<readonly string[]> {
    const load = new PlainLoad(machine.site, ['/', '/unsubscribe', '/terms', '/thank-you'], { signsUp: true });
    await expect.poll(() => load.signups, { timeout: stack.healthTimeout }).toBeGreaterThan(20);
    await change();
    const [requests, signups] = [load.requests, load.signups];
    await expect.poll(() => load.requests - requests, { timeout: stack.healthTimeout }).toBeGreaterThan(20);
    await expect.poll(() => load.signups, { timeout: stack.healthTimeout }).toBeGreaterThan(signups);
    await load.stop();
    const sql = `SELECT count(*) FROM subscriber WHERE email LIKE '${load.emailPrefix}%'`;
    const psql = ['psql', '--username=daybook', '--no-align', '--tuples-only', '-c', sql];
    const stored = Number(await machine.compose('exec', '-T', 'postgres', ...psql));
    expect.soft(stored, what).toBeGreaterThanOrEqual(load.signups);
    return load.failures;
  }

  const edge = () => machine.compose('ps', '--quiet', 'edge');
  const before = await edge();
  const upgrade = (...words: readonly string[]) => stack.deploy('upgrade', words, machine.folder);
  copyFiles(stack.folder, machine.folder);
  expect.soft(await failuresDuring('upgrade', () => upgrade(stack.version))).toEqual([]);
  expect.soft(await machine.images()).toEqual(imagesOf(stack.version, former));
  expect.soft(await failuresDuring('back', () => upgrade(former))).toEqual([]);
  expect.soft(await machine.images()).toEqual(imagesOf(former, former));
  // Both times without the edge.
  expect.soft(await edge()).toBe(before);

  const failures = await failuresDuring('edge', () => upgrade('--part', 'edge', stack.version));
  // Only while nothing listens: no page is missing in its cache.
  expect.soft(failures.filter((failure) => !/ECONNREFUSED|ECONNRESET|socket hang up/.test(failure))).toEqual([]);
  expect.soft(await machine.images()).toEqual(imagesOf(former, stack.version));
});
