import { randomBytes } from 'node:crypto';
import { openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Comparison, interleave, type Round } from '../../bench/comparison.ts';
import { type HttpLoad, type LoadedServer, loadServer } from '../../bench/http-load.ts';
import type { Part, PartContext } from '../../bench/part.ts';
import { exitCode, startNode, startServer } from '../../scripts/children.ts';
import { findFreePort } from '../../scripts/ports.ts';
import { startPostgres } from '../../scripts/postgres.ts';
import { migrate } from '../../scripts/site.ts';
import { root } from '../../scripts/workspaces.ts';

const bare = 'bare';
const connectionCounts = [1, 8, 64] as const;
const roundSeconds = 2.5;
const warmUpSeconds = 5;
const startTimeout = 30_000;

const programs = {
  backend: path.join(import.meta.dirname, '../dist/main.js'),
  [bare]: path.join(import.meta.dirname, 'dist/bare-server.js'),
  naive: path.join(import.meta.dirname, 'dist/naive-server.js'),
};

/** As in production. The load stays within the limits of networks and addresses; the global one is raised. */
const productionVariables = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: '1',
  PUBLIC_URL: 'https://daybook.example',
  COOKIE_SECRET: randomBytes(32).toString('hex'),
  OPERATOR_TOKEN: randomBytes(32).toString('hex'),
  LIMIT_GLOBAL_SIGNUPS: '1000000',
  DATABASE_POOL_SIZE: '10',
};

/** A server that takes signups, on a database of its own. */
interface Contestant extends LoadedServer {
  readonly databaseUrl: string;
}

async function query<Row extends pg.QueryResultRow>(databaseUrl: string, ...statements: readonly string[]) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const rows: Row[] = [];
  for (const statement of statements) rows.push(...(await client.query<Row>(statement)).rows);
  await client.end();
  return rows;
}

/** Starts a server on a new database with the backend's tables; resolves once it responds. */
async function startContestant(
  { started, folder }: PartContext,
  postgresUrl: string,
  name: string,
  program: keyof typeof programs,
): Promise<Contestant> {
  const id = name.replaceAll(/\W/g, '_');
  await query(postgresUrl, `CREATE DATABASE "${id}"`);
  const databaseUrl = new URL(id, postgresUrl).href;
  await migrate(databaseUrl);
  const port = String(await findFreePort());
  const variables = { ...productionVariables, DATABASE_URL: databaseUrl, PORT: port };
  const child = startServer([programs[program]], variables, openSync(path.join(folder, `${id}.log`), 'a'));
  started.defer(() => void child.kill());
  const address = `http://127.0.0.1:${port}`;
  const end = Date.now() + startTimeout;
  while (!(await fetch(address).catch(() => undefined))) {
    if (Date.now() > end) throw new Error(`The server “${name}” did not start.`);
    await delay(50);
  }
  return { name, address, pid: child.pid ?? 0, databaseUrl };
}

/** Stores signups of the last 90 days, each with an entry and a delivered event. */
const fill = (databaseUrl: string, subscribers: number) =>
  query(
    databaseUrl,
    `INSERT INTO subscriber (email, created_at)
     SELECT 'subscriber' || n || '@' || md5(n::text) || '.example', now() - random() * interval '90 days'
     FROM generate_series(1, ${subscribers}) n`,
    `INSERT INTO waitlist_entry (id, subscriber_id, created_at)
     SELECT 1 + (random() * 9e13)::bigint, id, created_at FROM subscriber ON CONFLICT DO NOTHING`,
    `INSERT INTO outbox_event (id, type, data, created_at, delivered_at)
     SELECT uuidv7(created_at - now()), 'signup.created', jsonb_build_object('entryId', id), created_at, created_at
     FROM waitlist_entry`,
    'VACUUM ANALYZE',
    'CHECKPOINT',
  );

/** Number of complete signups in a database: subscriber, entry and event. */
async function countStored({ databaseUrl }: Contestant): Promise<number> {
  const [row] = await query<{ count: number }>(
    databaseUrl,
    `SELECT count(*)::integer AS count
     FROM waitlist_entry JOIN subscriber ON subscriber.id = subscriber_id
     JOIN outbox_event ON type = 'signup.created' AND (data->>'entryId')::bigint = waitlist_entry.id`,
  );
  return row?.count ?? 0;
}

let visitors = 0;

/** A signup as the shell server forwards it: a new address, from one of 10,000 networks. */
const request: HttpLoad['request'] = {
  method: 'POST',
  path: '/api/waitlist',
  headers: {
    'content-type': 'application/json',
    'accept-language': 'en-US,en;q=0.9',
    origin: 'https://daybook.example',
    'x-forwarded-host': 'daybook.example',
    'x-forwarded-proto': 'https',
  },
  setupRequest: (template) => {
    const visitor = ++visitors;
    const network = visitor % 10_000;
    const forwarded = { 'x-forwarded-for': `10.${network >> 8}.${network & 255}.7` };
    const body = `{"email":"visitor${process.pid}.${visitor}@example.com"}`;
    return { ...template, headers: { ...template.headers, ...forwarded }, body };
  },
};

/**
 * The backend against a bare Fastify + pg handler and a naive Nest + TypeORM one, on one PostgreSQL server with fsync.
 *
 * @throws Error where an acknowledged signup is not in the database
 */
export const measureSignups: Part = async (context) => {
  const { started, folder, rounds: count, subscribers, report } = context;
  const compiler = [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', import.meta.dirname];
  if ((await exitCode(startNode(compiler))) !== 0)
    throw new Error('The servers to compare with could not be compiled.');
  const postgres = await startPostgres({ folder: path.join(folder, 'postgres'), persistent: false });
  started.defer(() => postgres.stop());
  const contestants = [
    await startContestant(context, postgres.url, 'backend', 'backend'),
    await startContestant(context, postgres.url, bare, bare),
    await startContestant(context, postgres.url, 'naive', 'naive'),
  ];
  if (subscribers) {
    report(`storing ${subscribers} subscribers`);
    const filled = await startContestant(context, postgres.url, `backend, ${subscribers} subscribers`, 'backend');
    await fill(filled.databaseUrl, subscribers);
    contestants.push(filled);
  }
  const stored = new Map<string, number>();
  for (const contestant of contestants) stored.set(contestant.name, await countStored(contestant));
  const measure = (connections: number, seconds: number) => async (contestant: Contestant) => {
    const { answered, ...sample } = await loadServer(contestant, { connections, seconds, request });
    stored.set(contestant.name, (stored.get(contestant.name) ?? 0) + answered);
    return sample;
  };
  await interleave(contestants, 1, measure(16, warmUpSeconds), () => report('warmed up'));
  const cases: { name: string; rounds: readonly Round[] }[] = [];
  for (const connections of connectionCounts) {
    const name = `${connections} connection${connections === 1 ? '' : 's'}`;
    const rounds = await interleave(contestants, count, measure(connections, roundSeconds), (line) =>
      report(`${name}: ${line}`),
    );
    cases.push({ name, rounds });
  }
  for (const contestant of contestants) {
    const [acknowledged = 0, found] = [stored.get(contestant.name), await countStored(contestant)];
    if (found < acknowledged) throw new Error(`“${contestant.name}” lost ${acknowledged - found} signups.`);
  }
  const comparison: Comparison = {
    title: 'Signups',
    contestants: contestants.map(({ name }) => name),
    baseline: bare,
    figures: [
      { key: 'perSecond', title: 'signups per second', digits: 0 },
      { key: 'cpu', title: 'CPU s per 1,000 signups', digits: 3 },
      { key: 'p99', title: 'p99 in ms', digits: 0 },
      { key: 'memory', title: 'memory in MB', digits: 0 },
    ],
    cases,
  };
  const note = `autocannon, medians of ${count} rounds of ${roundSeconds} s; in brackets the ratio to the bare handler. All acknowledged signups were in the databases.`;
  return { comparisons: [comparison], picture: comparison, note };
};
