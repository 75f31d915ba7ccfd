import { DataSource } from 'typeorm';
import type { DatabaseEnvironment } from '../environment.ts';
import { databaseOptions } from './database-options.ts';
import { installJobQueue } from './job-queue.ts';

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
