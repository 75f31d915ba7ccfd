import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createShellRole, queryOnce } from './database-roles.ts';
import { startPostgres } from './postgres.ts';
import { migrate } from './site.ts';

/** Starts a migrated PostgreSQL, which takes seconds; `stop` removes it. */
export async function startReleasesDatabase() {
  const folder = path.join(tmpdir(), `daybook-releases-test-${randomUUID()}`);
  const settings = { fsync: 'off', full_page_writes: 'off' };
  const server = await startPostgres({ folder, persistent: false, settings });
  try {
    await migrate(server.url);
    return { ownerUrl: server.url, shellUrl: await createShellRole(server.url), stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Copies a database with its releases, to which nothing is connected; returns the copy's URL with the same role. */
export async function copyReleasesDatabase(ownerUrl: string, templateUrl: string): Promise<string> {
  const name = `releases_${randomUUID().replaceAll('-', '')}`;
  const elsewhere = Object.assign(new URL(ownerUrl), { pathname: 'template1' }).href;
  await queryOnce(elsewhere, `CREATE DATABASE ${name} TEMPLATE ${new URL(templateUrl).pathname.slice(1)}`);
  return Object.assign(new URL(templateUrl), { pathname: name }).href;
}
