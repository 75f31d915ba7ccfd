import { DataSource, QueryFailedError } from 'typeorm';
import type { DatabaseEnvironment } from '../environment.ts';
import { databaseOptions } from './database-options.ts';
import { installJobQueue } from './job-queue.ts';
import { migrations } from './migrations/index.ts';

/** Key of the advisory lock: any number that nothing else in this database locks. */
const migrationLock = 7_305_221;

/**
 * Runs the pending migrations, each in its own transaction, and then those of pg-boss's schema. Concurrent migrators
 * wait for each other, so that each migration runs once.
 *
 * @returns the names of the migrations that ran, in order; empty if the database was up to date.
 */
export async function runMigrations(environment: DatabaseEnvironment): Promise<string[]> {
  const dataSource = await new DataSource(databaseOptions(environment)).initialize();
  const lockHolder = dataSource.createQueryRunner();
  try {
    await lockHolder.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    await installJobQueue(environment);
    return ran.map((migration) => migration.name);
  } finally {
    // Ending the session releases the lock, also after an error.
    await lockHolder.release();
    await dataSource.destroy();
  }
}

const undefinedTable = '42P01';

/** Returns the names of this version's pending migrations. The database may have newer ones. */
export async function missingMigrations(dataSource: DataSource): Promise<string[]> {
  const ran = await ranMigrations(dataSource);
  return migrations.map(({ name }) => name).filter((name) => !ran.has(name));
}

async function ranMigrations(dataSource: DataSource): Promise<ReadonlySet<string>> {
  try {
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (error instanceof QueryFailedError && codeOf(error.driverError) === undefinedTable) return new Set();
    throw error;
  }
}

const codeOf = (error: Error) => ('code' in error ? error.code : undefined);
