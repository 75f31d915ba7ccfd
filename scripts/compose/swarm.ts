import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@daybook/server';
import { docker, type Stack, writeSettings } from '@daybook/testing/compose';
import { PlainLoad } from '@daybook/testing/plain-load';
import { remotes } from '@daybook/testing/workspaces';
import type { Steps } from './steps.ts';
import { SwarmStack, until, whyNoSwarm } from './swarm-stack.ts';

/** Apart from every stack that runs here for somebody. */
const stackName = 'daybook-test-swarm';

/** How long something may take on a busy machine, in ms. */
const limit = 180_000;

type Settings = Readonly<Record<string, string>>;

/** What differs in the next version of a part: one text in one file. */
interface Change {
  /** From the part's folder. */
  readonly file: string;
  readonly text: string;
  readonly next: string;
}

/**
 * Builds another version of a part, as its team would.
 *
 * @param settings of the stack, its VERSION among them; they are written again by whoever needs them afterwards
 * @returns the tag of the image
 * @throws CommandError where the file does not have the text
 */
async function buildNext(
  stack: Stack,
  settings: Readonly<Record<string, string>>,
  part: string,
  { file, text, next }: Change,
): Promise<string> {
  const place = path.join(stack.folder, part, file);
  const source = readFileSync(place, 'utf8');
  if (!source.includes(text)) throw new CommandError(`${place} has no “${text}” any more.`);
  writeFileSync(place, source.replace(text, next));
  const version = `${settings.VERSION}-next`;
  writeSettings(stack.folder, { ...settings, VERSION: version });
  await stack.compose('build', part);
  return version;
}

/** What visitors open while something changes. */
const pages = ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you'];

/** Writes secrets as deploy/swarm/README.md says. */
function writeSecrets(folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  const password = randomBytes(32).toString('hex');
  write('postgres-password', password);
  write('database-url', `postgres://daybook:${password}@postgres:5432/daybook`);
  write('cookie-secret', randomBytes(32).toString('hex'));
  write('operator-token', randomBytes(32).toString('hex'));
  write('operator-tokens', '\n');
  write('webhook-secret', `whsec_${randomBytes(32).toString('base64')}`);
}

/** The shell's own files that a page names. */
async function shellFilesOf(site: string): Promise<readonly string[]> {
  const html = await (await fetch(site)).text();
  return Array.from(new Set(html.match(/\/assets\/[^"]+\.(?:js|css)/g)));
}

/** The version of a remote that visitors get. */
async function servedVersion(site: string, remote: string): Promise<string | undefined> {
  const answer = await fetch(`${site}/registry.json`).catch(() => undefined);
  if (!answer?.ok) return undefined;
  const registry = (await answer.json()) as { readonly remotes: readonly { name: string; version: string }[] };
  return registry.remotes.find(({ name }) => name === remote)?.version;
}

/**
 * Does something while visitors are there.
 *
 * @returns in words, what they did
 * @throws CommandError where a request of theirs failed, or a signup was lost
 */
async function underLoad(swarm: SwarmStack, site: string, change: () => Promise<void>): Promise<string> {
  const visitors = new PlainLoad(site, pages, { signsUp: true });
  await change().finally(() => visitors.stop());
  const { failures, requests, signups, addressPrefix } = visitors;
  if (requests < 100 || signups === 0) throw new CommandError(`Only ${requests} requests were made.`);
  if (failures.length > 0)
    throw new CommandError(`${failures.length} of ${requests} requests failed:\n${failures.slice(0, 20).join('\n')}`);
  const stored = Number(await swarm.query(`SELECT count(*) FROM subscriber WHERE email LIKE '${addressPrefix}%'`));
  if (stored !== signups) throw new CommandError(`Of ${signups} signups ${stored} are stored.`);
  return `${requests} requests, ${signups} signups, no failure`;
}

/**
 * Deploys the stack to a swarm of this machine alone, with two shells and two backends; rolls mf-privacy, then backend and
 * shell under load; takes everything down and leaves the swarm. An engine that is in a swarm already, or
 * has other containers, is left alone.
 *
 * @param stack a compose stack that is down; its folder has the sources, and its images are built
 * @param settings of that stack, its PORT and VERSION among them
 */
export async function trySwarm(steps: Steps, stack: Stack, settings: Settings): Promise<void> {
  const obstacle = await whyNoSwarm();
  if (obstacle) {
    steps.skip('swarm', obstacle);
    return;
  }
  const { folder } = stack;
  const site = `http://localhost:${settings.PORT}`;
  const secrets = path.join(folder, 'swarm-secrets');
  const plenty = '1000000';
  const ofSwarm = {
    ...settings,
    SECRETS_FOLDER: secrets,
    LIMIT_NETWORK_SIGNUPS: plenty,
    LIMIT_NETWORK_WRITES: plenty,
    LIMIT_GLOBAL_SIGNUPS: plenty,
  };
  const swarm = new SwarmStack(stackName, folder);
  let isDeployed = false;
  try {
    await steps.run('swarm: two shells and two backends are deployed', async () => {
      await docker('swarm', 'init', '--advertise-addr', '127.0.0.1');
      const node = (await docker('info', '--format', '{{.Swarm.NodeID}}')).trim();
      await docker('node', 'update', '--label-add', 'daybook.database=true', node);
      writeSecrets(secrets);
      writeSettings(folder, ofSwarm);
      const from = performance.now();
      await swarm.deploy();
      await until('all tasks run', limit, () => isComplete(swarm, site));
      isDeployed = true;
      return `${((performance.now() - from) / 1000).toFixed(1)} s`;
    });
    if (!isDeployed) return;

    await steps.run('swarm: mf-privacy is rolled alone under load, without a failed request', async () => {
      const others = ['shell', 'backend', 'entry', 'postgres', ...remotes].filter((name) => name !== 'mf-privacy');
      const tasksOfOthers = async () => (await Promise.all(others.map((name) => swarm.containers(name)))).flat();
      const [before, versionBefore] = [await tasksOfOthers(), await servedVersion(site, 'mf-privacy')];
      const next = await buildNext(stack, ofSwarm, 'mf-privacy', {
        file: 'src/choices/unsubscribe.tsx',
        text: "heading: 'Unsubscribe",
        next: "heading: 'Here you unsubscribe",
      });
      writeSettings(folder, { ...ofSwarm, MF_PRIVACY_VERSION: next });
      const seen = await underLoad(swarm, site, async () => {
        await swarm.deploy();
        await until('visitors get the new release', limit, async () => {
          const version = await servedVersion(site, 'mf-privacy');
          return version !== undefined && version !== versionBefore;
        });
        await swarm.updated('mf-privacy', limit);
      });
      if (String(await tasksOfOthers()) !== String(before)) throw new CommandError('Other tasks were replaced, too.');
      return seen;
    });
    await steps.run('swarm: backend is rolled under load, without a failed request or a lost signup', () =>
      underLoad(swarm, site, () => swarm.roll('backend', limit)),
    );
    await steps.run(
      'swarm: shell is rolled to another version under load, and open pages find their files',
      async () => {
        const next = await buildNext(stack, ofSwarm, 'shell', {
          file: 'src/pages/own-pages.tsx',
          text: 'Loading the page',
          next: 'The page is being loaded',
        });
        const before = await shellFilesOf(site);
        const seen = await underLoad(swarm, site, () => swarm.roll('shell', limit, next));
        const after = await shellFilesOf(site);
        if (String(after) === String(before)) throw new CommandError('The shell has the same files as before.');
        for (const file of [...before, ...after]) {
          const { status } = await fetch(site + file);
          if (status !== 200) throw new CommandError(`${file}: ${status}`);
        }
        return seen;
      },
    );
  } finally {
    await steps.run('swarm: everything is taken down, and the swarm is left', async () => {
      await swarm.remove(limit).finally(() => docker('swarm', 'leave', '--force'));
      return '';
    });
    writeSettings(folder, settings);
  }
}

/** Whether as many tasks run as there should be, and the site answers with all it has. */
async function isComplete(swarm: SwarmStack, site: string): Promise<boolean> {
  const replicas = await swarm.replicas();
  const isRunning = [...replicas].every(([name, state]) => name === 'migrate' || /^(\d+)\/\1$/.test(state));
  if (replicas.size === 0 || !isRunning || replicas.get('shell') !== '2/2' || replicas.get('backend') !== '2/2')
    return false;
  const answer = await fetch(`${site}/readyz`).catch(() => undefined);
  if (!answer?.ok) return false;
  const { remotesWithoutRelease, backends } = (await answer.json()) as {
    readonly remotesWithoutRelease: readonly string[];
    readonly backends: { readonly ready: number };
  };
  return remotesWithoutRelease.length === 0 && backends.ready > 0;
}
