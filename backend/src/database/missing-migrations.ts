import { type DataSource, QueryFailedError } from 'typeorm';
import { migrations } from './migrations/index.ts';

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
