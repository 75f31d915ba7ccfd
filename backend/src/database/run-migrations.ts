import { DataSource, QueryFailedError } from 'typeorm';
import type { DatabaseEnvironment } from '../environment.ts';
import { databaseOptions } from './database-options.ts';
import { installJobQueue } from './job-queue.ts';
import { migrations } from './migrations/index.ts';

/** Any number will do, as long as nothing else in this database locks on it. */
const migrationLock = 7_305_221;

/**
 * Runs the migrations that the database has not seen yet, each in its own transaction, and then those that pg-boss
 * brings for its own schema. Migrators that start at the same time take turns, so that each migration runs once.
 *
 * @returns the names of the migrations it ran, in order; empty when the database was up to date.
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
    // Ending the session frees the lock, also after an error.
    await lockHolder.release();
    await dataSource.destroy();
  }
}

const undefinedTable = '42P01';

/** The names of the migrations that this code needs and the database has not seen; others it may have. */
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
