import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { queryOnce } from '@daybook/testing/database-roles';
import { findFreePort } from '@daybook/testing/ports';
import { startPostgres } from '@daybook/testing/postgres';
import { startNode } from '@daybook/testing/processes';
import { migrate, untilHealthy } from '@daybook/testing/site';
import { root } from '@daybook/testing/workspaces';
import { interleave, measureCases, mediansOf } from './comparison.ts';
import { loadServer, type MakeRequest } from './load.ts';
import type { Part } from './site.ts';

const programs = {
  backend: path.join(root, 'backend/build/main.js'),
  bare: path.join(import.meta.dirname, 'bare-server.ts'),
};
const roundSeconds = 2.5;
/** Signups of each server before the measurement: by then V8 has compiled the code. */
const warmUp = 5_000;

/** As in production, with a higher global rate limit. The load stays below the limits per network and address. */
const productionVariables = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: '1',
  PUBLIC_URL: 'https://daybook.example',
  COOKIE_SECRET: randomBytes(32).toString('hex'),
  AUDIT_KEY: randomBytes(32).toString('hex'),
  LIMIT_GLOBAL_SIGNUPS: '1000000',
  DATABASE_POOL_SIZE: '10',
};

/** Starts a server on a new database with the backend's tables; resolves once it responds. */
async function startContestant(started: AsyncDisposableStack, postgresUrl: string, name: keyof typeof programs) {
  await queryOnce(postgresUrl, `CREATE DATABASE ${name}`);
  const databaseUrl = new URL(name, postgresUrl).href;
  await migrate(databaseUrl);
  const port = String(await findFreePort());
  const child = startNode([programs[name]], {
    environment: { ...productionVariables, DATABASE_URL: databaseUrl, PORT: port },
    output: 'ignore',
  });
  started.defer(() => void child.kill());
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(name, url, child);
  return { name, url, pid: child.pid ?? 0, databaseUrl };
}

/** Counts complete signups: subscriber, entry and event. */
const countStored = `SELECT count(*)::integer AS stored
  FROM waitlist_entry JOIN subscriber ON subscriber.id = subscriber_id
  JOIN outbox_event ON type = 'signup.created' AND (data->>'entryId')::bigint = waitlist_entry.id`;

let visitors = 0;

/** A signup as forwarded by the shell server: a new address, from one of 10,000 networks. */
const signup: MakeRequest = () => {
  const visitor = ++visitors;
  return {
    method: 'POST',
    path: '/api/waitlist',
    headers: {
      'content-type': 'application/json',
      origin: 'https://daybook.example',
      'x-forwarded-host': 'daybook.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': `10.${(visitor >> 8) % 40}.${visitor & 255}.7`,
    },
    body: `{"email":"visitor${process.pid}.${visitor}@example.com"}`,
  };
};

/** Compares the backend with a bare Fastify + pg handler; all acknowledged signups must be in the database. */
export const measureSignups: Part = async (context) => {
  const { started, folder, report } = context;
  const postgres = await startPostgres({ folder: path.join(folder, 'postgres'), persistent: false });
  started.defer(() => postgres.stop());
  const backend = await startContestant(started, postgres.url, 'backend');
  const bare = await startContestant(started, postgres.url, 'bare');
  const acknowledged = { backend: 0, bare: 0 };
  const measure = async (connections: number, server: typeof bare) => {
    const { succeeded, ...sample } = await loadServer(server, connections, roundSeconds, signup);
    acknowledged[server.name] += succeeded;
    return sample;
  };
  while (Math.min(acknowledged.backend, acknowledged.bare) < warmUp)
    await interleave(
      [backend, bare],
      1,
      (server) => measure(64, server),
      () => report('warming up'),
    );
  const ofCounts = Object.fromEntries([1, 8, 64].map((count) => [`${count} at once`, [backend, bare]]));
  const cases = await measureCases(ofCounts, context, (server, name) => measure(Number.parseInt(name, 10), server));
  for (const { name, databaseUrl } of [backend, bare]) {
    const [{ stored } = { stored: 0 }] = await queryOnce<{ stored: number }>(databaseUrl, countStored);
    if (stored < acknowledged[name]) throw new Error(`“${name}” acknowledged ${acknowledged[name]}, stored ${stored}.`);
  }
  const figures = [
    { key: 'perSecond', title: 'signups per second', digits: 0 },
    { key: 'cpu', title: 'CPU s per 1,000 signups', digits: 3 },
    { key: 'p99', title: 'p99 in ms', digits: 0 },
    { key: 'memory', title: 'memory in MB', digits: 0 },
  ];
  return {
    comparisons: [{ title: 'Signups', contestants: [backend.name, bare.name], baseline: bare.name, figures, cases }],
    note: `${mediansOf(context.rounds)} of ${roundSeconds} s; in brackets the ratio to the bare handler. All acknowledged signups were in the databases.`,
  };
};
