import { expect, test } from '@daybook/testing/browser-test';
import { remotes } from '@daybook/testing/workspaces';
import { underLoad } from './load.ts';
import * as stack from './stack.ts';

// Serial: all steps share one deployment.
test.describe.configure({ mode: 'serial' });

const restart = async (signal: 'kill' | 'stop', ...services: readonly string[]) => {
  await stack.compose(signal, ...services);
  await stack.compose('start', ...services);
  for (const service of services) await stack.expectHealth(service).toBe('healthy');
};

test('no acknowledged signup is lost if backends, database or edge are killed', async () => {
  const { failedPages } = await underLoad('kill of backends and database', async (loaded) => {
    await restart('kill', 'backup');
    await restart('kill', 'backend-a', 'backend-b');
    await stack.compose('kill', 'postgres');
    await loaded();
    await stack.compose('start', 'postgres');
    await stack.expectHealth('backend-a').toBe('healthy');
  });
  expect(failedPages).toEqual([]);
  await underLoad('kill of the edge', () => restart('kill', 'edge'));
});

test('no signup or page fails while shell servers and remotes are killed or restarted', async () => {
  const [edge, shell] = [await stack.containerId('edge'), await stack.containerId('shell-a')];
  const { failed, failedPages } = await underLoad('kill of shell servers and remotes', async (loaded) => {
    await restart('stop', 'shell-a');
    await restart('kill', 'shell-b');
    // With the releases of the database.
    await stack.up('--no-deps', '--force-recreate', 'shell-a');
    await stack.compose('kill', ...remotes);
    await loaded();
    await stack.compose('start', ...remotes);
    await stack.untilAllHealthy();
  });
  expect([failed, failedPages]).toEqual([[], []]);
  expect(await stack.containerId('edge')).toBe(edge);
  expect(await stack.containerId('shell-a')).not.toBe(shell);
});

test('a kill of one of two backends fails only the signups that it has received', async () => {
  const { failed } = await underLoad('kill of one of two backends', () => restart('kill', 'backend-a'));
  // A signup takes some ten milliseconds, so one is in progress at most times.
  expect(failed.length).toBeLessThanOrEqual(3);
});
