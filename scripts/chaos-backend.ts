import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@daybook/runner/ports';
import { startPostgres } from '@daybook/runner/postgres';
import { migrate } from '@daybook/runner/site';
import { CommandError } from '@daybook/server/command-line';
import pg from 'pg';
import { build } from './build.ts';
import { findings } from './chaos/findings.ts';
import { Load } from './chaos/load.ts';
import { nodeVictim, type Victim } from './chaos/victim.ts';
import { runCommand } from './run-command.ts';

/** Number of kills of each process: both backends, the database, the receiver. */
const killsOfEach = { backend: 12, database: 18, receiver: 18 };
/** Lifetime of a process before it is killed, in ms. */
const minLifetime = 500;
const maxLifetime = 3_000;
/** Timeout in ms for pending events at the end: the lease of a killed backend expires after 30 s. */
const settleLimit = 90_000;
const progressInterval = 5_000;

type Kills = Record<Victim['kind'], number>;

async function killAgainAndAgain(victim: Victim, kills: Kills): Promise<void> {
  for (let n = 0; n < killsOfEach[victim.kind]; n++) {
    await delay(randomInt(minLifetime, maxLifetime));
    await victim.kill();
    kills[victim.kind]++;
    await victim.start();
  }
}

const total = ({ backend, database, receiver }: Kills) => backend + database + receiver;

/** Waits, once everything works again, until no event is pending. Skips the backoff of events that failed recently. */
async function settle(database: pg.Client): Promise<void> {
  const pending = "status = 'pending'";
  const limit = Date.now() + settleLimit;
  for (let reportedAt = 0; ; ) {
    const { rows } = await database.query(`SELECT count(*)::int AS waiting FROM outbox_event WHERE ${pending}`);
    const { waiting } = rows[0];
    if (waiting === 0) return;
    if (Date.now() > limit)
      throw new CommandError(`${waiting} events are still pending after ${settleLimit / 1000} s.`);
    if (Date.now() - reportedAt > progressInterval) {
      console.log(`  everything runs; ${waiting} events are pending`);
      reportedAt = Date.now();
    }
    await database.query(
      `UPDATE outbox_event SET next_attempt_at = now() WHERE ${pending} AND next_attempt_at > now()`,
    );
    await delay(250);
  }
}

/**
 * `npm run chaos -- backend`: repeatedly kills two backends, their database and the webhook receiver with SIGKILL while
 * visitors sign up. Every acknowledged signup must be in the database, and its event must arrive under one id, in the
 * order of its address. Exits with code 1 otherwise.
 */
export const chaosBackend = (): Promise<never> =>
  runCommand(async (started) => {
    await build(console.log, ['backend']);
    const folder = mkdtempSync(path.join(tmpdir(), 'daybook-chaos-'));
    started.defer(() => rmSync(folder, { recursive: true }));

    console.log('Starting a database with production durability, a receiver and two backends …');
    const postgres = await startPostgres({ folder: path.join(folder, 'postgres'), persistent: false });
    started.defer(() => postgres.stop());
    await migrate(postgres.url);

    const arrivedFile = path.join(folder, 'arrived.ndjson');
    writeFileSync(arrivedFile, '');
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const receiverPort = await findFreePort();
    const receiver = nodeVictim('receiver', 'receiver.ts', receiverPort, {
      WEBHOOK_SECRET: secret,
      ARRIVED_FILE: arrivedFile,
    });
    const ports = [await findFreePort(), await findFreePort()];
    const backends = ports.map((port) =>
      nodeVictim('backend', '../../backend/build/main.js', port, {
        HOST: '127.0.0.1',
        DATABASE_URL: postgres.url,
        COOKIE_SECRET: randomBytes(32).toString('hex'),
        TRUSTED_PROXIES: '1',
        WEBHOOK_URL: `http://127.0.0.1:${receiverPort}/events`,
        WEBHOOK_SECRET: secret,
      }),
    );
    await Promise.all([receiver, ...backends].map((victim) => victim.start()));
    const database: Victim = { kind: 'database', start: () => postgres.resume(), kill: () => postgres.kill() };

    const kills: Kills = { backend: 0, database: 0, receiver: 0 };
    const load = new Load(ports.map((port) => `http://127.0.0.1:${port}`));
    const reportProgress = () =>
      console.log(
        `  ${total(kills)} kills, ${load.sent} calls, ${load.acknowledged.created.size} signups acknowledged`,
      );
    const progress = setInterval(reportProgress, progressInterval);
    started.defer(() => clearInterval(progress));
    await Promise.all([...backends, database, receiver].map((victim) => killAgainAndAgain(victim, kills)));
    await load.stop();
    clearInterval(progress);
    reportProgress();

    const client = new pg.Client(postgres.url);
    await client.connect();
    started.defer(() => client.end());
    await settle(client);
    const { results, disordered } = await findings(client, arrivedFile, load.acknowledged);
    console.log(
      `\n${total(kills)} kills by SIGKILL: ${kills.backend} of a backend, ${kills.database} of the database, ` +
        `${kills.receiver} of the receiver. ${load.sent} calls, ${load.failed} of them without success.`,
    );
    console.table(results);
    const bad = results.filter(({ lost, doubled }) => lost + doubled > 0);
    if (bad.length > 0) throw new CommandError(`Lost or duplicated: ${bad.map(({ type }) => type).join(', ')}.`);
    if (disordered > 0) throw new CommandError(`The events of ${disordered} addresses arrived out of order.`);
    console.log(
      '\nNo acknowledged signup was lost, no event had two ids, and the events of each address were in order.',
    );
  });
