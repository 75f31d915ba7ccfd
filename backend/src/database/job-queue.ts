import { setTimeout as delay } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { DatabaseEnvironment } from '../environment.ts';

const options = { application_name: 'daybook-jobs', schedule: false } as const;

/** Size of the queue's own pool: background work and requests never wait for each other's connections. */
const poolSize = 3;
/** In ms. */
const connectionTimeout = 3_000;
const statementTimeout = 10_000;

/** Interval in seconds at which pg-boss expires jobs past their timeout, such as those of a killed process. */
const superviseInterval = 15;

/** Returns pg-boss on the same database, not started. It changes rows only, never the schema. */
export function jobQueue({ DATABASE_URL }: DatabaseEnvironment): PgBoss {
  return new PgBoss({
    ...options,
    connectionString: DATABASE_URL,
    max: poolSize,
    connectionTimeoutMillis: connectionTimeout,
    options: `-c statement_timeout=${statementTimeout}`,
    migrate: false,
    createSchema: false,
    reindex: false,
    superviseIntervalSeconds: superviseInterval,
    monitorIntervalSeconds: superviseInterval,
  });
}

/** Creates pg-boss's schema, or migrates it to the installed version. */
export async function installJobQueue({ DATABASE_URL }: DatabaseEnvironment): Promise<void> {
  const queue = new PgBoss({
    ...options,
    connectionString: DATABASE_URL,
    max: 2,
    supervise: false,
    // The minimum that pg-boss accepts.
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

/** Also builds the indexes that some upgrades defer: only a role that may change the schema can do that. */
async function startAndFinish(queue: PgBoss): Promise<void> {
  await queue.start();
  const isBuilding = async () =>
    (await queue.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress');
  while (await isBuilding()) await delay(100);
}
