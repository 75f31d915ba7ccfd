import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '@daybook/server/command-line';
import { findFreePort } from '@daybook/testing/ports';
import { startPostgres } from '@daybook/testing/postgres';
import { type Child, hasEnded, startNode } from '@daybook/testing/processes';
import { migrate } from '@daybook/testing/site';
import pg from 'pg';
import { build } from './build.ts';
import { Load } from './chaos/load.ts';
import { runCommand } from './run-command.ts';

/** Number of kills of each process: both backends, the database, the receiver. */
const killsOfEach = { backend: 12, database: 18, receiver: 18 };
type Kind = keyof typeof killsOfEach;

/** Lifetime of a process before it is killed, in ms. */
const [minLifetime, maxLifetime] = [500, 3_000];
/** Timeout in ms for pending events at the end: the lease of a killed backend expires after 30 s. */
const settleLimit = 90_000;

/** A process that is repeatedly killed with SIGKILL. */
interface Victim {
  readonly kind: Kind;
  /** Starts or restarts it, and waits until it works. */
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** A Node program, named relative to this folder; restarted until it responds on its port. */
function nodeVictim(kind: Kind, file: string, port: number, settings: Readonly<Record<string, string>>): Victim {
  let child: Child | undefined;
  const environment = { ...settings, PORT: String(port) };
  return {
    kind,
    start: async () => {
      for (;;) {
        // A backend exits if it starts while the database is down.
        if (!child || hasEnded(child))
          child = startNode([path.join(import.meta.dirname, file)], { environment, output: 'ignore' });
        const signal = AbortSignal.timeout(2_000);
        const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).catch(() => undefined);
        await response?.body?.cancel();
        if (response) return;
        await delay(50);
      }
    },
    kill: async () => {
      child?.kill('SIGKILL');
      await child;
    },
  };
}

async function killAgainAndAgain(victim: Victim): Promise<void> {
  for (let n = 0; n < killsOfEach[victim.kind]; n++) {
    await delay(randomInt(minLifetime, maxLifetime));
    await victim.kill();
    await victim.start();
  }
}

/** Waits, once everything works again, until no event is pending. Skips the backoff of events that failed recently. */
async function settle(database: pg.Client): Promise<void> {
  const limit = Date.now() + settleLimit;
  for (;;) {
    const { rowCount } = await database.query(
      "UPDATE outbox_event SET next_attempt_at = least(next_attempt_at, now()) WHERE status = 'pending'",
    );
    if (rowCount === 0) return;
    if (Date.now() > limit)
      throw new CommandError(`${rowCount} events are still pending after ${settleLimit / 1000} s.`);
    await delay(250);
  }
}

interface Arrived {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly entryId?: number; readonly email: string };
}
const idsOf = (events: readonly Arrived[]) => [...new Set(events.map(({ id }) => id))];

/** Compares acknowledged calls with the database's rows and the events that arrived. */
async function findings(database: pg.Client, arrived: readonly Arrived[], acknowledged: Load['acknowledged']) {
  const findingOf = async (
    type: string,
    subjects: ReadonlySet<unknown>,
    sql: string,
    subject: 'entryId' | 'email' = 'entryId',
  ) => {
    const stored = new Set((await database.query({ text: sql, rowMode: 'array' })).rows.flat());
    const events = arrived.filter((event) => event.type === type);
    const bySubject = Map.groupBy(events, ({ data }) => data[subject]);
    return {
      type,
      acknowledged: subjects.size,
      lost: [...subjects].filter((each) => !stored.has(each) || !bySubject.has(each as string)).length,
      doubled: [...bySubject.values()].filter((each) => idsOf(each).length > 1).length,
      deliveries: events.length,
    };
  };
  const entries = 'SELECT id::float8 FROM waitlist_entry';
  const { created, completed, emergencies } = acknowledged;
  return Promise.all([
    findingOf('signup.created', created, entries),
    findingOf('signup.completed', completed, `${entries} WHERE num_nonnulls(completed_at, notice_received_at) > 0`),
    findingOf('signup.emergency', emergencies, 'SELECT email FROM emergency_notice', 'email'),
  ]);
}

/** Counts addresses whose events arrived in another order than they were stored: their ids, UUIDv7, sort by time. */
const countDisordered = (arrived: readonly Arrived[]) =>
  [...Map.groupBy(arrived, ({ data }) => data.email).values()].filter(
    (events) => String(idsOf(events)) !== String(idsOf(events).toSorted()),
  ).length;

/**
 * `npm run chaos -- backend`: repeatedly kills two backends, their database and the webhook receiver with SIGKILL while
 * visitors sign up. Every acknowledged signup must be in the database, and its event must arrive under one id, in the
 * order of its address.
 */
export const chaosBackend = (): Promise<never> =>
  runCommand(async (started) => {
    await build(console.log, ['backend']);
    const folder = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-chaos-'))).path;

    console.log('Starting a database with production durability, a receiver and two backends …');
    const postgres = await startPostgres({ folder: path.join(folder, 'postgres'), persistent: false });
    started.defer(() => postgres.stop());
    await migrate(postgres.url);

    const arrivedFile = path.join(folder, 'arrived.ndjson');
    writeFileSync(arrivedFile, '');
    const WEBHOOK_SECRET = `whsec_${randomBytes(32).toString('base64')}`;
    const receiverPort = await findFreePort();
    const receiver = nodeVictim('receiver', 'chaos/receiver.ts', receiverPort, {
      WEBHOOK_SECRET,
      ARRIVED_FILE: arrivedFile,
    });
    const ports = [await findFreePort(), await findFreePort()];
    const backends = ports.map((port) =>
      nodeVictim('backend', '../backend/build/main.js', port, {
        HOST: '127.0.0.1',
        DATABASE_URL: postgres.url,
        COOKIE_SECRET: randomBytes(32).toString('hex'),
        TRUSTED_PROXIES: '1',
        WEBHOOK_URL: `http://127.0.0.1:${receiverPort}/events`,
        WEBHOOK_SECRET,
      }),
    );
    await Promise.all([receiver, ...backends].map((victim) => victim.start()));
    const database: Victim = { kind: 'database', start: () => postgres.resume(), kill: () => postgres.kill() };

    console.log('Killing them while visitors sign up …');
    const load = new Load(ports.map((port) => `http://127.0.0.1:${port}`));
    await Promise.all([...backends, database, receiver].map(killAgainAndAgain));
    await load.stop();

    console.log('Everything runs again; waiting for pending events …');
    const client = new pg.Client(postgres.url);
    await client.connect();
    started.defer(() => client.end());
    await settle(client);
    const arrived: readonly Arrived[] = JSON.parse(
      `[${readFileSync(arrivedFile, 'utf8').trim().replaceAll('\n', ',')}]`,
    );
    const results = await findings(client, arrived, load.acknowledged);
    console.log(`${load.sent} calls, ${load.failed} of them without success.`);
    console.table(results);
    const bad = results.filter(({ lost, doubled }) => lost + doubled > 0);
    if (bad.length > 0) throw new CommandError(`Lost or duplicated: ${bad.map(({ type }) => type).join(', ')}.`);
    const disordered = countDisordered(arrived);
    if (disordered > 0) throw new CommandError(`The events of ${disordered} addresses arrived out of order.`);
    console.log(
      '\nNo acknowledged signup was lost, no event had two ids, and the events of each address were in order.',
    );
  });
