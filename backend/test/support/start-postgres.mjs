import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres } from '@daybook/testing/postgres';

/** Builds once for all spec files that run the built backend. */
async function buildBackend() {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-b'], { cwd: join(import.meta.dirname, '../..') });
}

/** Starts one server for all spec files, each of which creates its own database; TEST_DATABASE_URL replaces it. */
export default async function start() {
  await buildBackend();
  if (process.env.TEST_DATABASE_URL) return;
  const folder = join(tmpdir(), `daybook-backend-test-${randomUUID()}`);
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
  globalThis.backendTestPostgres = await startPostgres({ folder, persistent: false, settings });
  process.env.TEST_DATABASE_URL = globalThis.backendTestPostgres.url;
}
