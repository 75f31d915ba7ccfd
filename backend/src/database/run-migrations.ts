import { DataSource } from 'typeorm';
import type { DatabaseEnvironment } from '../environment.ts';
import { databaseOptions } from './database-options.ts';
import { installJobQueue } from './job-queue.ts';

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
