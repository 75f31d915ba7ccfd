import { afterAll, beforeAll } from '@jest/globals';
import type { Environment } from '../../src/environment.ts';
import { startBackend, type TestBackend } from './test-backend.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** Creates a database for all tests of a file. */
export const useDatabase = (options?: Parameters<typeof createTestDatabase>[0]) => use(undefined, options).database;

/**
 * Creates a migrated database and starts a backend on it, for all tests of a file.
 *
 * @returns also `restart`, which restarts the backend with other settings
 */
export const useBackend = (overrides: Partial<Environment> = {}) => use(overrides);

function use(overrides?: Partial<Environment>, options?: Parameters<typeof createTestDatabase>[0]) {
  let created: TestDatabase;
  let started: TestBackend | undefined;
  const restart = async (others = overrides) => {
    await started?.stop();
    started = undefined;
    started = await startBackend({ DATABASE_URL: created.url, ...others });
  };
  beforeAll(async () => {
    created = await createTestDatabase(options);
    if (overrides) await restart();
  });
  afterAll(async () => {
    await started?.stop();
    await created?.drop();
  });
  const database: TestDatabase = {
    get url() {
      return created.url;
    },
    query: (statement, values) => created.query(statement, values),
    lock: (...parameters) => created.lock(...parameters),
    waiting: (count) => created.waiting(count),
    drop: () => created.drop(),
  };
  const running = () => started as TestBackend;
  const backend: TestBackend = {
    get app() {
      return running().app;
    },
    get url() {
      return running().url;
    },
    request: (...parameters) => running().request(...parameters),
    stop: () => running().stop(),
  };
  return { database, backend, restart };
}
