import { afterAll, beforeAll } from '@jest/globals';
import type { Environment } from '../../src/environment.ts';
import { startBackend, type TestBackend } from './test-backend.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** A database of its own for all tests of a file; it is there when they run. */
export const useDatabase = (options?: Parameters<typeof createTestDatabase>[0]) => use(undefined, options).database;

/** A migrated database and a backend on it, for all tests of a file; they are there when the tests run. */
export const useBackend = (overrides: Partial<Environment> = {}) => use(overrides);

function use(overrides?: Partial<Environment>, options?: Parameters<typeof createTestDatabase>[0]) {
  let created: TestDatabase;
  let started: TestBackend;
  beforeAll(async () => {
    created = await createTestDatabase(options);
    if (overrides) started = await startBackend({ DATABASE_URL: created.url, ...overrides });
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
    drop: () => created.drop(),
  };
  const backend: TestBackend = {
    get app() {
      return started.app;
    },
    get url() {
      return started.url;
    },
    request: (...parameters) => started.request(...parameters),
    stop: () => started.stop(),
  };
  return { database, backend };
}
