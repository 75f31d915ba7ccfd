import { Drain } from '@daybook/server';
import { afterEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { eventually } from './test/eventually.ts';
import { type RunningSite, type RunningSiteOptions, startRunningSite } from './test/running-site.ts';
import { send } from './test/send.ts';
import { releaseOf } from './test/temporary-site.ts';

let running: RunningSite | undefined;
afterEach(() => running?.stop());

const start = async (options: RunningSiteOptions) => {
  running = await startRunningSite(options);
  return running;
};

async function readinessOf({ address }: RunningSite) {
  const { status, text } = await send(address, '/readyz');
  return { status, ...JSON.parse(text) };
}

const legalAlone = {
  prepare: (site: RunningSite['site']) => site.release(releaseOf('mf-legal')),
  backendCalls: (backend: FastifyInstance) => void backend.get('/readyz', () => ({ status: 'ready' })),
} satisfies RunningSiteOptions;

test('a server with the release of one remote is ready, and tells which remotes have none', async () => {
  const site = await start(legalAlone);
  await eventually(async () =>
    expect(await readinessOf(site)).toEqual({
      status: 'ready',
      remotesWithoutRelease: ['mf-signup'],
      backends: { ready: 1, of: 1 },
    }),
  );
});

test('a server without any release is not ready', async () => {
  expect(await readinessOf(await start({}))).toMatchObject({
    status: 'not ready',
    reason: 'No remote has a release yet.',
  });
  expect((await send(running?.address ?? '', '/readyz')).status).toBe(503);
});

test('a backend that is not ready is told, and takes no page away', async () => {
  const site = await start(legalAlone);
  await site.backend.close();
  await eventually(async () =>
    expect(await readinessOf(site)).toMatchObject({ status: 'ready', backends: { ready: 0, of: 1 } }),
  );
});

test('a server that is about to stop is not ready, still serves, and ends each connection', async () => {
  const drain = new Drain();
  const site = await start({ ...legalAlone, drain });
  drain.begin();
  const { status, headers, text } = await send(site.address, '/readyz');
  expect([status, headers.connection]).toEqual([503, 'close']);
  expect(JSON.parse(text)).toMatchObject({ reason: 'The server is about to stop.' });
  expect((await send(site.address, '/healthz')).status).toBe(200);
  expect((await send(site.address, '/mf-legal')).status).toBe(200);
});
