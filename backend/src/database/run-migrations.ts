import { DataSource, QueryFailedError } from 'typeorm';
import type { DatabaseEnvironment } from '../environment.ts';
import { databaseOptions } from './database-options.ts';
import * as migrations from './migrations/index.ts';

/** Migrators take this advisory lock. Nothing else may use the number. */
const migrationsLock = 7_305_221;

/**
 * Runs the pending migrations, each in its own transaction. Concurrent migrators wait for each other, by a lock of a
 * transaction: behind a pooler, one of a session would outlive this process.
 *
 * @returns the names of the migrations that ran, in order
 */
export async function runMigrations(environment: DatabaseEnvironment): Promise<string[]> {
  const dataSource = await new DataSource(databaseOptions(environment)).initialize();
  try {
    return await dataSource.transaction(async (lockHolder) => {
      await lockHolder.query('SELECT pg_advisory_xact_lock($1)', [migrationsLock]);
      const ran = await dataSource.runMigrations({ transaction: 'each' });
      return ran.map(({ name }) => name);
    });
  } finally {
    await dataSource.destroy();
  }
}

const undefinedTable = '42P01';

/**
 * Returns the names of this version's pending migrations. Not by TypeORM's `getPendingMigrations`, which creates the
 * table of migrations.
 */
export async function missingMigrations(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations').catch((error: unknown) => {
    if (error instanceof QueryFailedError && error.driverError.code === undefinedTable) return [];
    throw error;
  });
  return Object.keys(migrations).filter((name) => !rows.some((row) => row.name === name));
}
