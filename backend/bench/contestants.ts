import { randomBytes } from 'node:crypto';
import { openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@daybook/testing/ports';
import type { RunningPostgres } from '@daybook/testing/postgres';
import { exitCode, hasEnded, startNode, startServer } from '@daybook/testing/processes';
import { migrate } from '@daybook/testing/site';
import { root } from '@daybook/testing/workspaces';
import pg from 'pg';

/** A server that takes signups, as a process with a database of its own. */
export interface Contestant {
  readonly name: string;
  readonly address: string;
  readonly pid: number;
  readonly databaseUrl: string;
}

export interface ContestantOptions {
  /** Its name in tables; made of letters and spaces. */
  readonly name: string;
  readonly server: 'backend' | 'bare' | 'naive';
  readonly postgres: RunningPostgres;
  /** Where its log is written. */
  readonly folder: string;
}

/** Connections to the database of each contestant: the backend's default. */
const poolSize = 10;
const startLimit = 30_000;

const programs = {
  backend: path.join(import.meta.dirname, '../dist/main.js'),
  bare: path.join(import.meta.dirname, 'dist/bare-server.js'),
  naive: path.join(import.meta.dirname, 'dist/naive-server.js'),
};

/** As in production. The load stays within the limits of networks and addresses; that of all signups lets it through. */
const productionVariables = () => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: '1',
  PUBLIC_URL: 'https://daybook.example',
  COOKIE_SECRET: randomBytes(32).toString('hex'),
  OPERATOR_TOKEN: randomBytes(32).toString('hex'),
  LIMIT_GLOBAL_SIGNUPS: '1000000',
});

/** Compiles the servers that the backend is compared with. */
export async function buildContestants(): Promise<void> {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  if ((await exitCode(startNode([compiler, '-p', import.meta.dirname]))) !== 0)
    throw new Error('The servers to compare with could not be compiled; the reason is above.');
}

/** Makes an empty database on a server, and gives its address. */
async function makeDatabase(postgres: RunningPostgres, name: string): Promise<string> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`CREATE DATABASE "${name}"`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

/** Starts a contestant on a new database, with the tables of the backend; it answers when this resolves. */
export async function startContestant({ name, server, postgres, folder }: ContestantOptions): Promise<Contestant> {
  const id = name.replaceAll(/\W/g, '_');
  const databaseUrl = await makeDatabase(postgres, id);
  const port = await findFreePort();
  const child = startServer(
    [programs[server]],
    {
      ...productionVariables(),
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(poolSize),
      PORT: String(port),
    },
    openSync(path.join(folder, `${id}.log`), 'a'),
  );
  const address = `http://127.0.0.1:${port}`;
  const limit = Date.now() + startLimit;
  while (!(await fetch(address).catch(() => undefined))) {
    if (hasEnded(child) || Date.now() > limit) throw new Error(`The contestant “${name}” did not start.`);
    await delay(50);
  }
  return { name, address, pid: child.pid ?? 0, databaseUrl };
}

/** How many signups a contestant's database has; whole ones, with subscriber, entry and event. */
export async function countStored({ databaseUrl }: Contestant): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ count: number }>(`
    SELECT count(*)::integer AS count
    FROM waitlist_entry JOIN subscriber ON subscriber.id = subscriber_id
    JOIN outbox_event ON type = 'signup.created' AND (data->>'entryId')::bigint = waitlist_entry.id
  `);
  await client.end();
  return rows[0]?.count ?? 0;
}
