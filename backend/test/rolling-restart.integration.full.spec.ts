import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { findNginx, startEdge } from '@daybook/testing/nginx';
import { findFreePort } from '@daybook/testing/ports';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anAddress } from './support/factories.ts';
import { addressOf, runBackend } from './support/processes.ts';
import { send, unlimited } from './support/test-backend.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

let database: TestDatabase;
const started = new AsyncDisposableStack();
const running = new Set<ReturnType<typeof runBackend>>();

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await Promise.all([...running].map(stop));
  await started.disposeAsync();
  await database?.drop();
});

const metricsToken = 'a-token-of-many-characters';

/** Returns the number of signups that a backend has stored. */
async function signupsAt(port: number): Promise<number> {
  const headers = { Authorization: `Bearer ${metricsToken}` };
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  return Number(/outcome="stored"} (\d+)/.exec(metrics)?.[1]);
}

type Process = ReturnType<typeof runBackend>;

function keep(process: Process): Process {
  running.add(process);
  return process;
}

async function stop(process: Process) {
  process.child.kill('SIGTERM');
  running.delete(process);
  return process.ended;
}

async function startBackend(port: number): Promise<Process> {
  const process = keep(
    runBackend('main', {
      DATABASE_URL: database.url,
      COOKIE_SECRET: 'x'.repeat(32),
      PORT: String(port),
      DRAIN_SECONDS: '3',
      METRICS_TOKEN: metricsToken,
      ...unlimited,
    }),
  );
  await addressOf(process.child);
  return process;
}

/** Keeps signing up, a few at a time, until it is stopped; returns the responses. */
function signUpAllTheTime(address: string, atATime = 8) {
  const responses: { readonly email: string; readonly outcome: string }[] = [];
  let stopped = false;
  const workers = Array.from({ length: atATime }, async () => {
    while (!stopped) {
      const email = anAddress();
      const outcome = await send<object>(`${address}/api/waitlist`, 'POST', { json: { email } }).then(
        ({ status, body }) => (status === 201 ? '201' : JSON.stringify(body)),
        (error: Error) => `${error.message}: ${error.cause}`,
      );
      responses.push({ email, outcome });
    }
  });
  return {
    count: () => responses.length,
    end: async () => {
      stopped = true;
      await Promise.all(workers);
      return responses;
    },
  };
}

const program = findNginx();

(program === undefined ? test.skip : test)(
  'a rolling restart of two backends under load neither loses nor duplicates a signup',
  async () => {
    const ports = [await findFreePort(), await findFreePort()];
    const backends = await Promise.all(ports.map(startBackend));
    const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
    const folder = mkdtempSync(join(tmpdir(), 'daybook-edge-'));
    started.defer(() => rmSync(folder, { recursive: true, force: true }));
    const [anyShell = ''] = addresses;
    const variables = { LIMIT_NETWORK_REQUESTS: '1000000' };
    const { address } = await startEdge(program ?? '', started, folder, anyShell, variables, addresses);

    const load = signUpAllTheTime(address);
    for (const [turn, backend] of backends.entries()) {
      const before = load.count();
      await eventually(() => expect(load.count()).toBeGreaterThan(before + 20));
      expect(await stop(backend)).toMatchObject({ exitCode: 0, errors: '' });
      // Runs with a single backend for a while.
      const alone = load.count();
      await eventually(() => expect(load.count()).toBeGreaterThan(alone + 20));
      const port = ports[turn] ?? 0;
      await startBackend(port);
      // The edge leaves it aside for some seconds more.
      await eventually(async () => expect(await signupsAt(port)).toBeGreaterThan(0));
    }
    const responses = await load.end();

    expect(responses.filter(({ outcome }) => outcome !== '201')).toEqual([]);
    const stored = await database.query<{ email: string }>(
      'SELECT email FROM waitlist_entry JOIN subscriber ON subscriber.id = subscriber_id',
    );
    expect(stored.map(({ email }) => email).sort()).toEqual(responses.map(({ email }) => email).sort());
  },
);
