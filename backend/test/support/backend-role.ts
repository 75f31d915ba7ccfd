import { randomUUID } from 'node:crypto';
import { createBackendRole as createRole } from '@daybook/testing/database-roles';
import type { TestDatabase } from './test-database.ts';

/**
 * Creates the backend's role in a test's database, under a name of its own.
 *
 * @returns the database's address with that role; `drop` removes the role
 */
export async function createBackendRole(database: Pick<TestDatabase, 'url' | 'query'>) {
  const name = `backend_${randomUUID().replaceAll('-', '')}`;
  return {
    name,
    url: await createRole(database.url, name),
    drop: async () => {
      await database.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
    },
  };
}
