import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../../scripts/postgres.ts';

/** One server for all spec files, each of which makes a database of its own; TEST_DATABASE_URL replaces it. */
export default async function start() {
  if (process.env.TEST_DATABASE_URL) return;
  const folder = join(tmpdir(), `daybook-backend-test-${randomUUID()}`);
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
  globalThis.backendTestPostgres = await startPostgres({ folder, persistent: false, settings });
  process.env.TEST_DATABASE_URL = globalThis.backendTestPostgres.url;
}
