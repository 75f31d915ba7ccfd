import { setTimeout as delay } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { DatabaseEnvironment } from '../environment.ts';

const options = { application_name: 'daybook-jobs', schedule: false } as const;

/** Connections of its own: work in the background never waits for one that requests use, nor they for it. */
const poolSize = 3;
/** How long to wait for a connection, and for one statement, in ms. */
const connectionLimit = 3_000;
const statementLimit = 10_000;

/**
 * How often jobs of a process that is gone are looked for, in seconds; they are free again once their time is over.
 */
const superviseInterval = 15;

/** pg-boss on the same database, not started. It reads and writes rows, and changes nothing of the schema. */
export function jobQueue({ DATABASE_URL }: DatabaseEnvironment): PgBoss {
  return new PgBoss({
    ...options,
    connectionString: DATABASE_URL,
    max: poolSize,
    connectionTimeoutMillis: connectionLimit,
    options: `-c statement_timeout=${statementLimit}`,
    migrate: false,
    createSchema: false,
    reindex: false,
    superviseIntervalSeconds: superviseInterval,
    monitorIntervalSeconds: superviseInterval,
  });
}

/** Creates pg-boss's schema, or brings it up to date with the installed pg-boss. */
export async function installJobQueue({ DATABASE_URL }: DatabaseEnvironment): Promise<void> {
  const queue = new PgBoss({
    ...options,
    connectionString: DATABASE_URL,
    max: 2,
    supervise: false,
    // The least that pg-boss takes.
    bamIntervalSeconds: 10,
  });
  const failed = Promise.withResolvers<never>();
  queue.on('error', failed.reject);
  failed.promise.catch(() => undefined);
  try {
    await Promise.race([failed.promise, startAndFinish(queue)]);
  } finally {
    await queue.stop({ graceful: false });
  }
}

/** Some upgrades leave indexes to be built afterwards; only who may change the schema can do that. */
async function startAndFinish(queue: PgBoss): Promise<void> {
  await queue.start();
  const isBuilding = async () =>
    (await queue.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress');
  while (await isBuilding()) await delay(100);
}
