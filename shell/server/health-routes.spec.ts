import { Drain } from '@daybook/server';
import { eventually } from '@daybook/testing/eventually';
import { afterEach, expect, test } from '@jest/globals';
import { releaseOf } from '../../packages/releases/src/test/temporary-site.ts';
import { type RunningSite, type RunningSiteOptions, startRunningSite } from './test/running-site.ts';
import { send } from './test/send.ts';

let running: RunningSite | undefined;
afterEach(() => running?.stop());

const start = async (options: RunningSiteOptions) => {
  running = await startRunningSite(options);
  return running;
};

async function readinessOf({ address }: RunningSite) {
  return JSON.parse((await send(address, '/readyz')).text);
}

const legalAlone = {
  prepare: (site: RunningSite['site']) => site.release(releaseOf('mf-legal')),
} satisfies RunningSiteOptions;

test("readiness passes with one remote's release, whether the backend runs or not, and lists the remotes without one", async () => {
  const site = await start(legalAlone);
  await site.backend.close();
  await eventually(async () =>
    expect(await readinessOf(site)).toEqual({
      status: 'ready',
      version: 'unknown',
      revision: 'unknown',
      remotesWithoutRelease: ['mf-signup'],
    }),
  );
});

test('readiness fails without any release', async () => {
  expect(await readinessOf(await start({}))).toMatchObject({
    status: 'not ready',
    reason: 'No remote has a release yet.',
  });
  expect((await send(running?.address ?? '', '/readyz')).status).toBe(503);
});

test('readiness fails during shutdown, while the server still responds and closes each connection', async () => {
  const drain = new Drain();
  const site = await start({ ...legalAlone, drain });
  drain.begin();
  const { status, headers, text } = await send(site.address, '/readyz');
  expect([status, headers.connection]).toEqual([503, 'close']);
  expect(JSON.parse(text)).toMatchObject({ reason: 'The server is about to stop.' });
  expect((await send(site.address, '/healthz')).status).toBe(200);
  expect((await send(site.address, '/mf-legal')).status).toBe(200);
});
