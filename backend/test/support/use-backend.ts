import { afterAll, beforeAll } from '@jest/globals';
import type { Environment } from '../../src/environment.ts';
import { TestBackend } from './test-backend.ts';
import { TestDatabase } from './test-database.ts';

/** Creates a migrated database for all tests of a file. */
export function useDatabase(): TestDatabase {
  const database = new TestDatabase();
  beforeAll(() => database.create());
  afterAll(() => database.drop());
  return database;
}

/**
 * Creates a migrated database and starts a backend on it, for all tests of a file.
 *
 * @returns also `restart`, which restarts the backend with other settings, and `withSettings`, which runs another one
 */
export function useBackend(overrides: Partial<Environment> = {}) {
  const backend = new TestBackend();
  const database = new TestDatabase();
  const settings = (others: Partial<Environment>) => ({ DATABASE_URL: database.url, ...others });
  beforeAll(async () => {
    await database.create();
    await backend.start(settings(overrides));
  });
  afterAll(async () => {
    await backend.stop();
    await database.drop();
  });
  const restart = async (others = overrides) => {
    await backend.stop();
    await backend.start(settings(others));
  };
  const withSettings = async <Result>(others: Partial<Environment>, use: (other: TestBackend) => Promise<Result>) => {
    const other = await new TestBackend().start(settings(others));
    return use(other).finally(() => other.stop());
  };
  return { database, backend, restart, withSettings };
}
