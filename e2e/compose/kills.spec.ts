import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { remotes } from '@daybook/runner/workspaces';
import { docker } from '@daybook/testing/compose';
import { PlainLoad } from '@daybook/testing/plain-load';
import { expect, test } from '../support/test.ts';
import { signUpsDuring } from './signups.ts';
import * as stack from './stack.ts';

// Serial: all steps share one deployment.
test.describe.configure({ mode: 'serial' });

/** Performs a change while pages and their files are loaded, none of which may fail; it is passed a wait for 200 more. */
async function whilePagesLoad(change: (loaded: () => Promise<void>) => Promise<unknown>): Promise<void> {
  const pages = ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you'];
  const load = new PlainLoad(process.env.SITE_URL ?? '', pages);
  const loaded = async () => {
    const before = load.requests;
    await expect.poll(() => load.requests, { timeout: stack.healthTimeout }).toBeGreaterThan(before + 200);
  };
  try {
    await loaded();
    await change(loaded);
    await loaded();
  } finally {
    await load.stop();
  }
  expect(load.failures).toEqual([]);
}

test('no signup is lost when all backends, then the database are killed and started again; pages are served meanwhile', () =>
  whilePagesLoad((loaded) =>
    signUpsDuring('kill of backends and database', 20, async () => {
      await stack.compose('kill', 'backend');
      await stack.compose('start', 'backend');
      await stack.expectHealth('backend').toBe('healthy');
      await stack.compose('kill', 'postgres');
      // What the engine runs to check its health.
      const isReady = () =>
        stack.exec('backend', 'node', '/usr/local/lib/ready.mjs').then(
          () => true,
          () => false,
        );
      await expect.poll(isReady).toBe(false);
      await loaded();
      await stack.compose('start', 'postgres');
      await expect.poll(isReady, { timeout: stack.healthTimeout }).toBe(true);
    }),
  ));

const container = async (service: string) => {
  const { Id, State } = await stack.inspect(service);
  return [Id, State.StartedAt];
};

test('no signup and no page view fails while shell and remotes are restarted, killed and replaced', async () => {
  const [edge, shell] = [await container('edge'), await container('shell')];
  await whilePagesLoad(async (loaded) => {
    const { failed } = await signUpsDuring('kill of shell and remotes', 20, async () => {
      await stack.compose('restart', 'shell');
      await loaded();
      await stack.compose('kill', 'shell', ...remotes);
      await loaded();
      // With the releases of the database.
      await stack.compose('up', '--detach', '--no-deps', '--force-recreate', 'shell');
      await stack.expectHealth('shell').toBe('healthy');
      await loaded();
      await stack.compose('start', ...remotes);
      await stack.untilAllHealthy();
    });
    expect(failed).toBe(0);
  });
  expect(await container('edge')).toEqual(edge);
  expect(await container('shell')).not.toEqual(shell);
});

test('no signup of at least 400 and no page view fails while a secret of all servers is rotated, or is rejected', async () => {
  test.setTimeout(900_000);
  const servers = async () => [...(await stack.containerIds('backend')), ...(await stack.containerIds('shell'))];
  const readToken = () => stack.exec('shell', 'cat', '/run/secrets/metrics/metrics-token');
  // Read as a given file without SECRETS_FOLDER, too.
  const file = path.join(stack.folder, 'deploy/secrets/metrics-token');
  const token = randomBytes(32).toString('hex');
  const before = await servers();
  let after: readonly string[] = [];
  await whilePagesLoad(async () => {
    const { acknowledged, failed } = await signUpsDuring('rotation of a secret', 20, async () => {
      writeFileSync(file, token);
      await stack.deploy('rotate', ['metrics-token']);
      after = await servers();
      // With a token as short as this, a backend does not start.
      writeFileSync(file, 'short');
      await expect(stack.deploy('rotate', ['metrics-token'])).rejects.toThrow('the new backend does not become ready');
    });
    expect(failed).toBe(0);
    expect(acknowledged).toBeGreaterThan(400);
  });
  rmSync(file);
  expect(after).toHaveLength(before.length);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
  expect(await readToken()).toBe(token);
  // Neither the rejected rotation nor the next `up` has replaced a container.
  await stack.up();
  expect(await servers()).toEqual(after);
});

/** Returns the number of signups that each backend has stored. */
async function signupsOfEach(): Promise<readonly number[]> {
  const ids = await stack.containerIds('backend');
  const metrics = await Promise.all(ids.map((id) => stack.readMetrics(id, 3000)));
  return metrics.map((text) => Number(/outcome="stored"} (\d+)/.exec(text)?.[1] ?? 0));
}

test('each of two backends gets at least a third of the signups, and if it is killed, only those that it had received fail', async () => {
  const before = await signupsOfEach();
  const { failed } = await signUpsDuring('kill of one of two backends', 20, async () => {
    const counts = (await signupsOfEach()).map((count, place) => count - (before[place] ?? 0));
    const total = counts.reduce((sum, count) => sum + count);
    expect(Math.min(...counts) / total, counts.join(', ')).toBeGreaterThanOrEqual(1 / 3);
    const [first = ''] = await stack.containerIds('backend');
    await docker('kill', first);
    // Calls that were connecting when its IP address left DNS reach the other one.
    const ips = async () => (await stack.exec('edge', 'getent', 'ahostsv4', 'backend')).match(/STREAM/g)?.length;
    await expect.poll(ips).toBe(1);
    await docker('start', first);
    await stack.expectHealth('backend').toBe('healthy');
  });
  // A signup takes some ten milliseconds, so one is in progress at most times.
  expect(failed).toBeLessThanOrEqual(3);
});
